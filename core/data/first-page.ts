/**
 * Stands before every row of a table that is paged by time and id. A first page that asks for all rows by `or … is null` would
 * make each page read what came before it: a kept plan cannot begin its index scan at such a condition.
 */
export const BEGINNING = { time: '-infinity', id: '00000000-0000-0000-0000-000000000000' } as const
