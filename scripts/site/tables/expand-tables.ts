import { renderTable } from './render-table.ts'

/** Puts each generated table in the place of its `<!-- table: NAME -->`. @throws Error where there is no such table */
export function expandTables(markdown: string): string {
  return markdown.replaceAll(/^<!-- table: ([\w-]+) -->$/gm, (_comment, name: string) => renderTable(name))
}
