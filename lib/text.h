/* text.h -- small things about text that every part needs */
#ifndef LIB_TEXT_H
#define LIB_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Bytes of the UTF-8 character at `text` (NUL-terminated); a byte that begins no whole character counts as one of its
 * own. */
static inline size_t utf8_length(const char *text)
{
    unsigned char lead = (unsigned char)*text;
    size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
    for (size_t i = 1; i < length; i++)
        if (((unsigned char)text[i] & 0xC0) != 0x80)
            return 1;
    return length;
}

/* Is it a character that is not seen and changes how others are shown: of line ends (U+2028, U+2029) and of the
 * direction of writing (U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069)? */
static inline bool unicode_is_control(uint32_t character)
{
    return character == 0x061C || character == 0x200E || character == 0x200F ||
           (character >= 0x2028 && character <= 0x202E) || (character >= 0x2066 && character <= 0x2069);
}

/* Is it a character that controls a terminal (C0, DEL, C1) or what is shown of others, or a byte that is no
 * character? */
bool utf8_is_control(const char *text);

/* One line of characters that are all to be seen? */
bool text_is_plain(const char *text);

/* Bytes of a text, at most `most`, that end where a character does: for a precision, `%.*s`. */
static inline int text_fitting(const char *text, size_t most)
{
    size_t length = strnlen(text, most);
    while (length > 0 && ((unsigned char)text[length] & 0xC0) == 0x80)
        length--;
    return (int)length;
}

/* Is the text of this length the word? */
static inline bool text_is(const char *text, size_t length, const char *word)
{
    return strlen(word) == length && memcmp(text, word, length) == 0;
}

static inline bool text_begins(const char *text, const char *beginning)
{
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

/* A text with a question mark in the place of each such character or byte, into shown[] of this size, cut where it is
 * too long; returns shown. */
const char *text_shown(const char *text, char *shown, size_t size);

/* What a noun ends in behind this number. */
static inline const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

enum { NUMBER_TEXT_MAX = 32 };

/* A number with its thousands set apart, "5,443,200", into text[NUMBER_TEXT_MAX]; returns text. */
const char *number_text(uint64_t number, char *text);

enum { DIGITS_TEXT_MAX = 40 };

/* The digits of a number of 128 bits, into text[DIGITS_TEXT_MAX]; returns text. */
const char *digits_text(unsigned __int128 number, char *text);

/* A number that may be too large for 64 bits: the exact one where it is not 0, else about so many, "7.8e24"; the
 * largest double stands for anything above it, "1e308 or more". */
const char *count_text(uint64_t exact, double about, char *text);

/* A size as people say it, "692 KiB" or "1.9 GiB", into text[NUMBER_TEXT_MAX]; returns text. */
const char *size_text(uint64_t bytes, char *text);

#endif
