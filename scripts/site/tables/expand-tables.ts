import { renderTable } from './render-table.ts'

/** Replaces each `<!-- table: NAME -->` with its generated table. @throws Error if there is no such table */
export function expandTables(markdown: string): string {
  return markdown.replaceAll(/^<!-- table: ([\w-]+) -->$/gm, (_comment, name: string) => renderTable(name))
}
