import { BROWSER_STORAGE } from '#core/contract/browser-storage.ts'
import { asCode, writeTable } from './write-table.ts'

export function listStorage(): string {
  return writeTable(
    ['Name', 'Where', 'Contents and purpose', 'Kept until'],
    BROWSER_STORAGE.map(({ key, place, purpose, until }) => [asCode(key), place, purpose, until]),
  )
}
