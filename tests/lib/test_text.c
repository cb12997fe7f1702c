/* test_text.c -- numbers and sizes as people read them, UTF-8 lengths, errors */
#include "lib/error.h"
#include "tests/support/support.h"
#include "lib/text.h"

#include <string.h>

Test(text, what_controls_a_terminal)
{
    static const char *const plain[] = {"", "goat 1.2", "羊 ∥ é", "\u00A0", "\u2027", "\u202F", "\u2065\u206A"};
    static const char *const others[] = {"\x1B[2J", "a\nb",     "a\tb",    "\x7F",   "\xC2\x80", "\xC2\x9F[31m",
                                         "\xFF",    "caf\xC3",  "a\u061C", "\u200E", "\u200F",   "\u2028",
                                         "\u2029",  "a\u202Eb", "\u2066",  "\u2069"};
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        cr_expect(text_is_plain(plain[i]), "%zu", i);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        cr_expect(!text_is_plain(others[i]), "%zu", i);
}

Test(text, what_is_shown)
{
    char shown[12];
    cr_expect_str_eq(text_shown("/db/\x1B[2J", shown, sizeof shown), "/db/?[2J");
    cr_expect_str_eq(text_shown("é\u202E\xFFz", shown, sizeof shown), "é??z");
    cr_expect_str_eq(text_shown("0123456789∥", shown, sizeof shown), "0123456789");
    cr_expect_str_eq(text_shown("", shown, sizeof shown), "");
}

Test(text, numbers)
{
    static const struct {
        uint64_t number;
        const char *text;
    } cases[] = {{0, "0"},
                 {7, "7"},
                 {99, "99"},
                 {999, "999"},
                 {1000, "1,000"},
                 {12345, "12,345"},
                 {100000, "100,000"},
                 {5443200, "5,443,200"},
                 {1000000000, "1,000,000,000"},
                 {UINT64_MAX, "18,446,744,073,709,551,615"}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        char text[NUMBER_TEXT_MAX];
        cr_expect(number_text(cases[i].number, text) == text);
        EXPECT_TEXT(text, cases[i].text);
    }
}

Test(text, sizes)
{
    static const struct {
        uint64_t bytes;
        const char *text;
    } cases[] = {{0, "0 bytes"},
                 {999, "999 bytes"},
                 {1024, "1.0 KiB"},
                 {1536, "1.5 KiB"},
                 {10240, "10 KiB"},
                 {708608, "692 KiB"},
                 {(uint64_t)1 << 20, "1.0 MiB"},
                 {2040109466, "1.9 GiB"},
                 {(uint64_t)1 << 40, "1.0 TiB"},
                 {(uint64_t)1 << 50, "1.0 PiB"},
                 {UINT64_MAX, "16 EiB"}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        char text[NUMBER_TEXT_MAX];
        EXPECT_TEXT(size_text(cases[i].bytes, text), cases[i].text);
    }
    for (uint64_t bytes = 1; bytes < (uint64_t)1 << 62; bytes += bytes / 7 + 1) { /* never more than four digits */
        char text[NUMBER_TEXT_MAX];
        cr_assert(strcspn(size_text(bytes, text), " ") <= 4, "%s", text);
    }
}

Test(text, utf8_lengths)
{
    static const struct {
        const char *text;
        size_t length;
    } cases[] = {{"a", 1},         {"é", 2},       {"羊", 3},   {"𝄞", 4},    {"ab", 1},       {"羊狼", 3},
                 {"\xE7\xBE", 1},  {"\xE7", 1},    {"\xC3", 1}, {"\x80", 1}, {"\xFF\xFF", 1}, {"\xF0\x9D\x84", 1},
                 {"\xE7 \x8A", 1}, {"\xC3\xC3", 1}};
    for (size_t i = 0; i < COUNT(cases); i++)
        cr_expect(utf8_length(cases[i].text) == cases[i].length, "case %zu: %zu", i, utf8_length(cases[i].text));
}

Test(error, messages)
{
    pdb_error error;
    EXPECT_NUMBER(error_set(&error, PDB_IO, "%s: %d", "file", 7), PDB_IO);
    EXPECT_NUMBER(error.status, PDB_IO);
    EXPECT_TEXT(error.message, "file: 7");
    EXPECT_NUMBER(error_set(NULL, PDB_BUSY, "%s", "nobody listens"), PDB_BUSY);
    error_set(&error, PDB_IO, "two\nlines\r\n");
    EXPECT_TEXT(error.message, "two lines  ");
    EXPECT_NUMBER(error_no_memory(&error, "a thing", 12), PDB_NO_MEMORY);
    EXPECT_TEXT(error.message, "not enough memory: 12 bytes for a thing could not be allocated");
    /* Whatever is quoted, and wherever it is cut, it is one line of UTF-8. */
    static const char *const quoted[] = {"\xE7\xBE", "a\xFF-", "\x1b[31m", "tab\tthere", "\x80", "é\xC3"};
    for (size_t i = 0; i < COUNT(quoted); i++) {
        error_set(&error, PDB_IO, "%s", quoted[i]);
        cr_expect(is_utf8_line(error.message) && strpbrk(error.message, "\x1b\t") == NULL, "'%s'", error.message);
    }
    for (size_t before = 0; before < 4; before++) {
        char long_text[3000] = "";
        for (size_t i = 0; i < before; i++)
            strcat(long_text, "x");
        for (int i = 0; i < 600; i++)
            strcat(long_text, "羊");
        error_set(&error, PDB_IO, "%s", long_text);
        const size_t length = strlen(error.message);
        cr_expect(length < sizeof error.message && length > sizeof error.message - 5 && is_utf8_line(error.message),
                  "%zu", length);
    }
}

Test(error, exit_codes)
{
    static const int codes[] = {[PDB_OK] = 0,           [PDB_UNREACHABLE] = 1,
                                [PDB_BAD_USAGE] = 2,    [PDB_BAD_DEFINITION] = 2,
                                [PDB_BAD_BOARD] = 2,    [PDB_UNKNOWN_PUZZLE] = 2,
                                [PDB_NO_DATABASE] = 3,  [PDB_TOO_LARGE] = 3,
                                [PDB_NO_MEMORY] = 3,    [PDB_IO] = 3,
                                [PDB_BUSY] = 3,         [PDB_DAMAGED] = 4,
                                [PDB_INTERRUPTED] = 130};
    for (size_t status = 0; status < COUNT(codes); status++)
        EXPECT_NUMBER(error_exit_code((pdb_status)status), codes[status]);
}
