/* lanes.h -- what instructions do to lanes of one width; columns.c includes it once for each
 *
 * LANE is the type, UNSIGNED the same without a sign, NONE what stands for RULES_NONE, and NAME(x) makes a name.
 * Arithmetic wraps, as lanes of no state may do what they like. (No include guard: that is the point.)
 */
/* NOLINTBEGIN(bugprone-narrowing-conversions,*DeadStores): values fit into the lanes that were chosen for them */

ALWAYS_INLINE void NAME(fill)(LANE *restrict to, LANE number, size_t lanes)
{
    for (size_t i = 0; i < lanes; i++)
        to[i] = number;
}

/* The number that stands where the index says. */
ALWAYS_INLINE void NAME(read)(const struct batch *batch, const struct instruction *step, LANE *restrict to,
                              const LANE *restrict index)
{
    const uint32_t *list = batch->code->list + step->c, count = step->b;
    enum { FEW = 24 };
    const size_t lanes = batch->lanes;
    if (count > FEW) {
        for (size_t i = 0; i < lanes; i++) {
            const uint32_t at = (UNSIGNED)index[i];
            const LANE *column = batch_column(batch, list[at < count ? at : 0]);
            to[i] = at < count ? column[i] : NONE;
        }
        return;
    }
    NAME(fill)(to, NONE, lanes);
    for (uint32_t c = 0; c < count; c++) {
        const LANE *restrict column = batch_column(batch, list[c]);
        for (size_t i = 0; i < lanes; i++)
            to[i] = index[i] == (LANE)c ? column[i] : to[i];
    }
}

ALWAYS_INLINE void NAME(pick)(const struct batch *batch, const struct instruction *step, LANE *restrict to,
                              const LANE *restrict index)
{
    const struct rules *rules = batch->program->rules;
    const struct rules_element *element = &rules->element[step->number];
    const uint64_t *restrict key = batch->key;
    const unsigned first = rules->layout.shift[step->number];
    const unsigned apart = step->b > 1 ? rules->layout.shift[step->number + 1] - first : 0; /* or, wrapped, below */
    const uint64_t most = (uint64_t)((int64_t)element->hi - element->lo), mask = UINT64_MAX >> __builtin_clzll(most);
    const UNSIGNED count = (UNSIGNED)step->b;
    const LANE lo = (LANE)element->lo;
    const size_t lanes = batch->lanes;
    for (size_t i = 0; i < lanes; i++) {
        const UNSIGNED at = (UNSIGNED)index[i];
        const uint64_t digit = key[i] >> ((first + at * apart) & 63) & mask;
        const LANE number = (LANE)((LANE)(digit < most ? digit : most) + lo);
        to[i] = at < count ? number : NONE;
    }
}

ALWAYS_INLINE void NAME(lookup)(const struct lookup_table *table, LANE *restrict to, const LANE *restrict index,
                                size_t lanes)
{
    const LANE *restrict number = table->lane;
    const UNSIGNED count = (UNSIGNED)table->count;
    if (sizeof(LANE) == 1) {
        for (size_t i = 0; i < lanes; i++)
            to[i] = number[(UNSIGNED)index[i]];
        return;
    }
    for (size_t i = 0; i < lanes; i++) {
        const UNSIGNED at = (UNSIGNED)index[i];
        to[i] = at < count ? number[at < count ? at : 0] : NONE;
    }
}

ALWAYS_INLINE void NAME(divide)(bool remainder, LANE *restrict to, const LANE *restrict a, const LANE *restrict b,
                                size_t lanes)
{
    for (size_t i = 0; i < lanes; i++) {
        if (b[i] == 0 || a[i] == NONE || b[i] == NONE) {
            to[i] = NONE;
            continue;
        }
        const int64_t quotient = (int64_t)a[i] / b[i], left = (int64_t)a[i] % b[i];
        const bool below = left != 0 && (left < 0) != (b[i] < 0);
        to[i] = (LANE)(remainder ? left + (below ? b[i] : 0) : quotient - below);
    }
}

/* What an operation on two numbers gives; `none`: one of them may be none. */
ALWAYS_INLINE LANE NAME(one)(unsigned op, bool none, LANE a, LANE b)
{
    const bool gone = none && (a == NONE || b == NONE);
    switch (op) {
    case VALUE_NEGATE:
        return (LANE)(0 - (UNSIGNED)a);
    case VALUE_ABS:
        return a < 0 ? (LANE)(0 - (UNSIGNED)a) : a;
    case VALUE_ADD:
        return gone ? NONE : (LANE)((UNSIGNED)a + (UNSIGNED)b);
    case VALUE_SUBTRACT:
        return gone ? NONE : (LANE)((UNSIGNED)a - (UNSIGNED)b);
    case VALUE_MULTIPLY:
        return gone ? NONE : (LANE)((uint32_t)a * (uint32_t)b);
    case VALUE_MIN:
        return a < b ? (none && a == NONE ? b : a) : none && b == NONE ? a : b;
    case VALUE_MAX: /* none is the least */
        return a > b ? a : b;
    case VALUE_COUNTED:
        return a & 1;
    case VALUE_NOT:
        return ~a;
    case VALUE_AND:
        return a & b;
    case VALUE_AND_NOT:
        return a & ~b;
    default: /* VALUE_OR */
        return a | b;
    }
}

ALWAYS_INLINE void NAME(calculate)(unsigned op, const struct batch *batch, const struct instruction *step)
{
    LANE *restrict to = batch_column(batch, step->to);
    const LANE *restrict a = batch_column(batch, step->a), *restrict b = batch_column(batch, step->b);
    const size_t lanes = batch->lanes;
    if (step->none)
        for (size_t i = 0; i < lanes; i++)
            to[i] = NAME(one)(op, true, a[i], b[i]);
    else
        for (size_t i = 0; i < lanes; i++)
            to[i] = NAME(one)(op, false, a[i], b[i]);
}

ALWAYS_INLINE void NAME(compare)(unsigned op, const struct batch *batch, const struct instruction *step)
{
    int8_t *restrict to = batch_column(batch, step->to);
    const LANE *restrict a = batch_column(batch, step->a), *restrict b = batch_column(batch, step->b);
    const size_t lanes = batch->lanes;
    for (size_t i = 0; i < lanes; i++) {
        const bool says = op == VALUE_EQUAL  ? a[i] == b[i]
                          : op == VALUE_LESS ? (a[i] < b[i]) & (a[i] != NONE)
                                             : (a[i] <= b[i]) & (a[i] != NONE);
        to[i] = (int8_t)-says;
    }
}

ALWAYS_INLINE void NAME(select)(const struct batch *batch, const struct instruction *step)
{
    LANE *restrict to = batch_column(batch, step->to);
    const int8_t *restrict mask = batch_column(batch, step->a);
    const LANE *restrict b = batch_column(batch, step->b), *restrict c = batch_column(batch, step->c);
    const size_t lanes = batch->lanes;
    for (size_t i = 0; i < lanes; i++)
        to[i] = (LANE)((b[i] & (LANE)mask[i]) | (c[i] & ~(LANE)mask[i]));
}

ALWAYS_INLINE void NAME(run)(const struct batch *batch, const struct instruction *step)
{
    LANE *restrict to = batch_column(batch, step->to);
    const LANE *restrict a = batch_column(batch, step->a);
    switch ((enum value_op)step->op) {
    case VALUE_NUMBER:
        NAME(fill)(to, step->number == RULES_NONE ? NONE : (LANE)step->number, batch->lanes);
        break;
    case VALUE_READ:
        NAME(read)(batch, step, to, a);
        break;
    case VALUE_PICK:
        NAME(pick)(batch, step, to, a);
        break;
    case VALUE_LOOKUP:
        NAME(lookup)(&batch->program->table[step->b], to, a, batch->lanes);
        break;
    case VALUE_DIVIDE:
    case VALUE_REMAINDER:
        NAME(divide)(step->op == VALUE_REMAINDER, to, a, batch_column(batch, step->b), batch->lanes);
        break;
    case VALUE_SELECT:
        NAME(select)(batch, step);
        break;
#define EACH(DO, OP)                                                                                                   \
    case OP:                                                                                                           \
        NAME(DO)(OP, batch, step);                                                                                     \
        break
        EACH(calculate, VALUE_NEGATE);
        EACH(calculate, VALUE_ABS);
        EACH(calculate, VALUE_ADD);
        EACH(calculate, VALUE_SUBTRACT);
        EACH(calculate, VALUE_MULTIPLY);
        EACH(calculate, VALUE_MIN);
        EACH(calculate, VALUE_MAX);
        EACH(calculate, VALUE_COUNTED);
        EACH(calculate, VALUE_NOT);
        EACH(calculate, VALUE_AND);
        EACH(calculate, VALUE_AND_NOT);
        EACH(calculate, VALUE_OR);
        EACH(compare, VALUE_EQUAL);
        EACH(compare, VALUE_LESS);
        EACH(compare, VALUE_LESS_EQUAL);
#undef EACH
    default:
        break;
    }
}

/* Functions of their own, for a compiler takes twice as long over one that holds those of all widths. */
__attribute__((noinline)) static void NAME(portable)(const struct batch *batch, const struct instruction *step)
{
    NAME(run)(batch, step);
}

#ifdef __x86_64__
__attribute__((noinline, target(AVX2))) static void NAME(avx2)(const struct batch *batch,
                                                               const struct instruction *step)
{
    NAME(run)(batch, step);
}
#endif
/* NOLINTEND(bugprone-narrowing-conversions,*DeadStores) */
