/** The comparisons of a query for rows. */
export const COMPARISONS = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'like', 'ilike'] as const
export type Comparison = (typeof COMPARISONS)[number]

export const ROW_TESTS = ['null', 'not_null', 'true', 'false', 'unknown'] as const
export type RowTest = (typeof ROW_TESTS)[number]

/** A condition on a row. Values are texts, which PostgreSQL reads as values of the column's type. */
export type RowCondition =
  | { kind: 'compare'; column: string; operator: Comparison; value: string }
  | { kind: 'in'; column: string; values: readonly string[] }
  | { kind: 'is'; column: string; test: RowTest }
  | { kind: 'not'; of: RowCondition }
  | { kind: 'and' | 'or'; of: readonly RowCondition[] }

export interface RowOrder {
  column: string
  isDescending: boolean
  nullsFirst: boolean
}

/** A query for rows of one table. Every name in it is one of the table's columns. */
export interface RowQuery {
  columns: readonly string[]
  /** columns of each row's lead, under the name `leads`; only for the log */
  lead?: readonly string[] | undefined
  /** all of them must hold */
  where: readonly RowCondition[]
  order: readonly RowOrder[]
  limit: number
  offset: number
}
