/* paper.c -- a sheet as a file: one SVG document of all pages, or a PDF
 *
 * For a PDF each page is a document that librsvg draws with cairo, so boards are drawn by one mechanism. That library
 * brings some thirty others with it, and whoever asks how far a board is should not wait for them: it is loaded when a
 * PDF is asked for. Its functions are found by their names, with the types that its headers declare.
 */
#include "sheet.h"
#include "lib/error.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Bytes that grow. */
struct memory {
    char *bytes;
    size_t length;
    FILE *out;
};

static bool memory_open(struct memory *memory)
{
    *memory = (struct memory){0};
    memory->out = open_memstream(&memory->bytes, &memory->length);
    return memory->out != NULL;
}

/* False where memory was short. */
static bool memory_close(struct memory *memory)
{
    const bool good = ferror(memory->out) == 0;
    return fclose(memory->out) == 0 && good;
}

#ifdef PDB_SHEET_PDF
#include <cairo-pdf.h>
#include <dlfcn.h>
#include <librsvg/rsvg.h>

enum { MESSAGE = 160 };

/* The functions that are used. */
struct rsvg {
    void *library;
    __typeof__(cairo_pdf_surface_create_for_stream) *pdf_create;
    __typeof__(cairo_pdf_surface_set_metadata) *pdf_set_metadata;
    __typeof__(cairo_create) *create;
    __typeof__(cairo_show_page) *show_page;
    __typeof__(cairo_status) *status;
    __typeof__(cairo_destroy) *destroy;
    __typeof__(cairo_surface_finish) *surface_finish;
    __typeof__(cairo_surface_status) *surface_status;
    __typeof__(cairo_surface_destroy) *surface_destroy;
    __typeof__(rsvg_handle_new_from_data) *handle_new;
    __typeof__(rsvg_handle_render_document) *render;
    __typeof__(g_object_unref) *unref;
    __typeof__(g_error_free) *error_free;
};

/* The function of a name, into a pointer to one. */
static bool find(const struct rsvg *rsvg, const char *name, void *function)
{
    void *address = dlsym(rsvg->library, name); /* in the libraries that it brought with it, too */
    memcpy(function, &address, sizeof address);
    return address != NULL;
}

/* It stays loaded until the program ends. */
static pdb_status load(struct rsvg *rsvg, pdb_error *error)
{
    *rsvg = (struct rsvg){.library = dlopen("librsvg-2.so.2", RTLD_NOW | RTLD_LOCAL)};
    if (rsvg->library != NULL && find(rsvg, "cairo_pdf_surface_create_for_stream", &rsvg->pdf_create) &&
        find(rsvg, "cairo_pdf_surface_set_metadata", &rsvg->pdf_set_metadata) &&
        find(rsvg, "cairo_create", &rsvg->create) && find(rsvg, "cairo_show_page", &rsvg->show_page) &&
        find(rsvg, "cairo_status", &rsvg->status) && find(rsvg, "cairo_destroy", &rsvg->destroy) &&
        find(rsvg, "cairo_surface_finish", &rsvg->surface_finish) &&
        find(rsvg, "cairo_surface_status", &rsvg->surface_status) &&
        find(rsvg, "cairo_surface_destroy", &rsvg->surface_destroy) &&
        find(rsvg, "rsvg_handle_new_from_data", &rsvg->handle_new) &&
        find(rsvg, "rsvg_handle_render_document", &rsvg->render) && find(rsvg, "g_object_unref", &rsvg->unref) &&
        find(rsvg, "g_error_free", &rsvg->error_free))
        return PDB_OK;
    return error_set(
        error, PDB_BAD_USAGE,
        "a PDF is made by librsvg, which is not installed (Debian: apt install librsvg2-2): install it, or "
        "name the sheet .svg");
}

static cairo_status_t write_bytes(void *context, const unsigned char *bytes, unsigned length)
{
    FILE *out = context;
    return fwrite(bytes, 1, length, out) == length ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

/* Draws one page; the document is gone afterwards. */
static pdb_status draw_page(const struct rsvg *rsvg, struct sheet *sheet, const struct paper *paper, unsigned page,
                            cairo_t *cairo, pdb_error *error)
{
    const RsvgRectangle all = {.width = paper->points_across, .height = paper->points_down};
    struct memory document;
    GError *cause = NULL;
    pdb_status status = PDB_OK;
    if (!memory_open(&document))
        return error_no_memory(error, "a page", sizeof document);
    sheet_write(sheet, page, 1, document.out);
    if (!memory_close(&document)) {
        free(document.bytes);
        return error_no_memory(error, "a page", document.length);
    }
    RsvgHandle *handle = rsvg->handle_new((const guint8 *)document.bytes, document.length, &cause);
    if (handle == NULL || !rsvg->render(handle, cairo, &all, &cause))
        status = error_set(error, PDB_IO, "librsvg does not draw page %u: %.*s", page + 1, MESSAGE,
                           cause != NULL ? cause->message : "it does not say why");
    if (cause != NULL)
        rsvg->error_free(cause);
    if (handle != NULL)
        rsvg->unref(handle);
    free(document.bytes);
    rsvg->show_page(cairo);
    return status;
}

static pdb_status write_pdf(struct sheet *sheet, const struct paper *paper, const char *title, FILE *out,
                            pdb_error *error)
{
    struct rsvg rsvg;
    pdb_status status = load(&rsvg, error);
    if (status != PDB_OK)
        return status;
    cairo_surface_t *surface = rsvg.pdf_create(write_bytes, out, paper->points_across, paper->points_down);
    cairo_t *cairo = rsvg.create(surface);
    rsvg.pdf_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, title);
    for (unsigned page = 0; status == PDB_OK && page < sheet_pages(sheet); page++)
        status = draw_page(&rsvg, sheet, paper, page, cairo, error);
    rsvg.surface_finish(surface);
    if (status == PDB_OK &&
        (rsvg.status(cairo) != CAIRO_STATUS_SUCCESS || rsvg.surface_status(surface) != CAIRO_STATUS_SUCCESS))
        status = error_no_memory(error, "the PDF", 0);
    rsvg.destroy(cairo);
    rsvg.surface_destroy(surface);
    return status;
}

static pdb_status check_pdf(pdb_error *error)
{
    struct rsvg rsvg;
    return load(&rsvg, error);
}
#else
static pdb_status check_pdf(pdb_error *error)
{
    return error_set(error, PDB_BAD_USAGE,
                     "this pdb-query was built without librsvg and makes no PDF: name the sheet .svg");
}

static pdb_status write_pdf(struct sheet *sheet, const struct paper *paper, const char *title, FILE *out,
                            pdb_error *error)
{
    (void)sheet, (void)paper, (void)title, (void)out;
    return check_pdf(error);
}
#endif

static bool ends_in(const char *file, const char *ending)
{
    const size_t length = strlen(file), tail = strlen(ending);
    return length > tail && strcasecmp(file + length - tail, ending) == 0;
}

pdb_status paper_check(const char *file, pdb_error *error)
{
    if (ends_in(file, ".pdf"))
        return check_pdf(error);
    return ends_in(file, ".svg")
               ? PDB_OK
               : error_set(error, PDB_BAD_USAGE, "--sheet=FILE: its name ends in .pdf or .svg, unlike '%s'", file);
}

/* Writes a file under another name beside it, and gives it its own once it is whole: a sheet that was there stays until
 * then. */
static pdb_status write_file(const char *file, const struct memory *memory, pdb_error *error)
{
    char *beside;
    if (asprintf(&beside, "%s.%ld", file, (long)getpid()) < 0)
        return error_no_memory(error, "a file's name", strlen(file));
    FILE *out = fopen(beside, "wb");
    bool good = out != NULL && fwrite(memory->bytes, 1, memory->length, out) == memory->length;
    int cause = errno;
    if (out != NULL && fclose(out) != 0 && good) {
        good = false;
        cause = errno;
    }
    if (good && rename(beside, file) != 0) {
        good = false;
        cause = errno;
    }
    if (!good && out != NULL)
        unlink(beside);
    free(beside);
    errno = cause;
    return good ? PDB_OK : error_set(error, PDB_IO, "%s: %m", file);
}

pdb_status paper_print(const struct asked *asked, const struct finding *findings, size_t count,
                       const struct sheet_wish *wish, pdb_error *error)
{
    struct memory made = {0};
    struct sheet *sheet;
    pdb_status status = sheet_begin(asked, findings, count, wish, &sheet, error);
    if (status == PDB_OK && !memory_open(&made))
        status = error_no_memory(error, "a sheet", sizeof made);
    if (status == PDB_OK && ends_in(wish->file, ".pdf"))
        status = write_pdf(sheet, &papers[wish->paper], pdb_puzzle_name(asked->puzzle), made.out, error);
    else if (status == PDB_OK)
        sheet_write(sheet, 0, sheet_pages(sheet), made.out);
    if (made.out != NULL && !memory_close(&made) && status == PDB_OK)
        status = error_no_memory(error, "a sheet", made.length);
    if (status == PDB_OK)
        status = write_file(wish->file, &made, error);
    free(made.bytes);
    sheet_free(sheet);
    return status;
}
