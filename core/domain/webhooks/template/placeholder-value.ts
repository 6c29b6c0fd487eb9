/** What a placeholder stands for. */
export type PlaceholderValue = string | number | boolean | null
/** By name; `custom.<key>` entries are keyed by that whole name. */
export type PlaceholderValues = Readonly<Record<string, PlaceholderValue | undefined>>
