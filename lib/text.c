/* text.c -- small things about text that every part needs */
#include "text.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

bool utf8_is_control(const char *text)
{
    const unsigned char *byte = (const unsigned char *)text;
    switch (utf8_length(text)) {
    case 1:
        return byte[0] < 0x20 || byte[0] >= 0x7F;
    case 2:
        return (byte[0] == 0xC2 && byte[1] < 0xA0) || unicode_is_control((byte[0] & 31u) << 6 | (byte[1] & 63u));
    case 3:
        return unicode_is_control((byte[0] & 15u) << 12 | (byte[1] & 63u) << 6 | (byte[2] & 63u));
    default:
        return false;
    }
}

bool text_is_plain(const char *text)
{
    while (*text != '\0' && !utf8_is_control(text))
        text += utf8_length(text);
    return *text == '\0';
}

const char *text_shown(const char *text, char *shown, size_t size)
{
    size_t used = 0;
    for (; *text != '\0'; text += utf8_length(text)) {
        const bool hidden = utf8_is_control(text);
        const size_t length = hidden ? 1 : utf8_length(text);
        if (used + length >= size)
            break;
        memcpy(shown + used, hidden ? "?" : text, length);
        used += length;
    }
    shown[used] = '\0';
    return shown;
}

const char *number_text(uint64_t number, char *text)
{
    char digits[24];
    const int length = snprintf(digits, sizeof digits, "%llu", (unsigned long long)number);
    char *end = text;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            *end++ = ',';
        *end++ = digits[i];
    }
    *end = '\0';
    return text;
}

const char *digits_text(unsigned __int128 number, char *text)
{
    char digits[DIGITS_TEXT_MAX], *digit = digits + sizeof digits;
    *--digit = '\0';
    do
        *--digit = (char)('0' + (int)(number % 10));
    while ((number /= 10) > 0);
    return strcpy(text, digit);
}

const char *count_text(uint64_t exact, double about, char *text)
{
    if (exact != 0)
        return number_text(exact, text);
    if (about >= DBL_MAX)
        return strcpy(text, "1e308 or more");
    snprintf(text, NUMBER_TEXT_MAX, "%.1e", about);
    char *exponent = strchr(text, 'e');
    if (exponent != NULL && exponent[1] == '+') { /* "7.8e+24"; "7.8e+05" below 10^10 */
        const char *digits = exponent + (exponent[2] == '0' ? 3 : 2);
        memmove(exponent + 1, digits, strlen(digits) + 1);
    }
    return text;
}

const char *size_text(uint64_t bytes, char *text)
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    double size = (double)bytes;
    unsigned unit = 0;
    for (; size >= 1000 && unit < 6; unit++)
        size /= 1024;
    snprintf(text, NUMBER_TEXT_MAX, unit > 0 && size < 9.95 ? "%.1f %s" : "%.0f %s", size, units[unit]);
    return text;
}
