/**
 * A place before every row of a table that is paged by time and id. The alternative, `or … is null` for the first page,
 * makes each page read all pages before it: a cached plan cannot begin its index scan at such a condition.
 */
export const BEGINNING = { time: '-infinity', id: '00000000-0000-0000-0000-000000000000' } as const
