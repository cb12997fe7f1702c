/* definition.h -- reads a definition file: YAML, with every complaint at its file, line and column
 *
 * A definition is a YAML mapping. This module knows no family: it gives the families typed access to the tree and keeps
 * the place of every node, so that a family's complaint ("two goals") points at the text that caused it. Nodes live as
 * long as the definition, which never changes once read: threads may share one.
 *
 * The room: read.c makes the tree of a text with libyaml, whose complaints it has in better words; definition.c is
 * what may be asked of the tree (tree.h: what it is inside), digest.c what tells one definition from another, file.c
 * reads files, those of KSolve and twsearch too (ksolve.h). picture.h reads boards that are drawn, and
 * picture_source.c finds out what YAML has made of them; symbol_list.h reads words and ranges. What a family means by
 * its keys has no place here.
 *
 * Of YAML we take mappings, sequences and scalars in every style. Anchors, aliases, tags and directives are refused. A
 * scalar is text, quoted or not: what 010, yes, ~ or null may be elsewhere does not matter here, see the typed values
 * below.
 */
#ifndef DEFINITION_DEFINITION_H
#define DEFINITION_DEFINITION_H

#include "lib/error.h"

struct definition;
struct node; /* one scalar, sequence or mapping of a definition */

enum { DEFINITION_MAX_BYTES = 1 << 20, DIGEST_BYTES = 16 };

/* Reads a file, or parses text that somebody already holds (`name` stands for the file in messages). Only a regular
 * file is read. Lines end in LF, CRLF or CR; a byte order mark may come first. Errors: PDB_IO (cannot be read),
 * PDB_BAD_DEFINITION (not UTF-8 YAML, control characters, longer than DEFINITION_MAX_BYTES, not one document with a
 * mapping at its top, a key that is no scalar or given twice in one mapping, nested deeper than 16), PDB_NO_MEMORY. The
 * caller frees *out. */
pdb_status definition_read(const char *path, struct definition **out, pdb_error *error);
pdb_status definition_parse(const char *name, const char *text, size_t length, struct definition **out,
                            pdb_error *error);
/* The same of a text in the format of KSolve (.def) and twsearch (.tws), NUL-terminated; definition_read does that for
 * files of these endings. What it cannot say as a definition is refused, at its line. */
pdb_status definition_parse_ksolve(const char *name, const char *text, size_t length, struct definition **out,
                                   pdb_error *error);
bool definition_is_ksolve(const char *path);
void definition_free(struct definition *definition);

/* The mapping at the top; the name that messages give to the file. */
const struct node *definition_root(const struct definition *definition);
const char *definition_name(const struct definition *definition);

/* A digest (XXH3, 128 bits, canonical big-endian byte order) of what the definition says, whatever its layout,
 * comments, quoting or order of keys: mappings are taken in the order of their keys. Top-level keys listed in `except`
 * (ends with NULL) do not count: those that change how a puzzle looks, and no distance. `read_as` is of what
 * was read where the text that counts does not tell all, as in boards with glyphs: a sum of digest_of_reading's values,
 * or 0. Errors: PDB_NO_MEMORY. */
pdb_status definition_digest(const struct definition *definition, const char *const except[], uint64_t read_as,
                             uint8_t digest[DIGEST_BYTES], pdb_error *error);

/* What something of this name ("" for what has none) was read as: a board's position, or other bytes. */
uint64_t digest_of_reading(const char *name, const uint8_t *bytes, size_t count);

enum node_kind { NODE_SCALAR, NODE_SEQUENCE, NODE_MAPPING };
enum node_kind node_kind(const struct node *node);

/* Is it a scalar in quotes? */
bool node_is_quoted(const struct node *node);

/* A scalar's text, NUL-terminated, as YAML resolves it (a block scalar with its newlines); NULL for other kinds. A
 * scalar with a control character in it other than tab and newline, even by an escape, was refused at reading. */
const char *node_text(const struct node *node);

/* A sequence's items or a mapping's entries: how many, and the i-th. A scalar has none. */
size_t node_count(const struct node *node);
const struct node *node_item(const struct node *sequence, size_t i);
const struct node *node_key(const struct node *mapping, size_t i);
const struct node *node_value(const struct node *mapping, size_t i);

/* The value that a mapping has under `key`, NULL where it has none (or where it is no mapping). */
const struct node *node_find(const struct node *mapping, const char *key);

/* The same for a key that must be there; its absence is a complaint at the mapping's place. */
pdb_status node_require(const struct node *mapping, const char *key, const struct node **value, pdb_error *error);

/* Typed values. Each complains, at the node, when it is something else. An integer is written in plain decimal (12, -3:
 * no plus, no leading zero, so that one number has one digest); min and max are inclusive. A bool is `true` or `false`,
 * and not yes, on or True. */
pdb_status node_as_text(const struct node *node, const char **text, pdb_error *error);
pdb_status node_as_integer(const struct node *node, int64_t min, int64_t max, int64_t *value, pdb_error *error);
pdb_status node_as_bool(const struct node *node, bool *value, pdb_error *error);
/* One of the words in `choices` (ends with NULL); *choice is its place in the list. */
pdb_status node_as_choice(const struct node *node, const char *const choices[], unsigned *choice, pdb_error *error);

/* Complains about the first key of a mapping that is not in `known` (ends with NULL), with the nearest known one where
 * one is near. */
pdb_status node_check_keys(const struct node *mapping, const char *const known[], pdb_error *error);

/* Complains about the first name in a mapping that is one of `keys` (ends with NULL) of the definition: it may be a key
 * that is indented too far. */
pdb_status node_check_names(const struct node *mapping, const char *const keys[], pdb_error *error);

/* -- the keys that every definition has: what the puzzle is called, and which family reads the rest -- */

enum { PUZZLE_NAME_MAX = 64 };

/* Can a puzzle, or a board of one, be called this? */
bool heading_allows(const char *name);

/* Which of the families it is for: `names` ends with NULL, *chosen is a place in it. Errors: PDB_BAD_DEFINITION. */
pdb_status heading_family(const struct node *root, const char *const names[], unsigned *chosen, pdb_error *error);

/* Complains about the first key that is neither one of `common` nor one of `keys` (both end with NULL). */
pdb_status heading_check_keys(const struct node *root, const char *const common[], const char *const keys[],
                              pdb_error *error);

/* Reads the name, and the title into memory that the caller frees: "" where there is none. Errors: PDB_BAD_DEFINITION,
 * PDB_NO_MEMORY. */
pdb_status heading_read(const struct node *root, char name[PUZZLE_NAME_MAX + 1], char **title, pdb_error *error);

/* -- complaints -- */

/* A complaint at a node: "file:line:column: ...", lines and columns counted from 1, columns in characters. Returns
 * PDB_BAD_DEFINITION. node_error_at points into a scalar, at the byte `offset` of node_text(node): the row of a board
 * picture, a cell in it. It is exact for plain and quoted scalars on one line without escapes, and for literal block
 * scalars (|); elsewhere it is the scalar's start. */
__attribute__((format(printf, 3, 4))) pdb_status node_error(pdb_error *error, const struct node *node,
                                                            const char *format, ...);
__attribute__((format(printf, 4, 5))) pdb_status node_error_at(pdb_error *error, const struct node *node, size_t offset,
                                                               const char *format, ...);

#endif
