/**
 * A place before every row of a table that is paged by time and id. With the alternative, `or … is null` for the first
 * page, each page would read all pages before it, because a cached plan cannot begin its index scan at such a
 * condition.
 */
export const BEGINNING = { time: '-infinity', id: '00000000-0000-0000-0000-000000000000' } as const
