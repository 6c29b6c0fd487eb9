import type { QueryClient } from '@tanstack/react-query'
import type { ExportFilters, ExportKind } from '#core/contract/exports/export.ts'
import { askForExport, exportsQuery, measureExport } from '#web/api/exports.ts'
import { requestText } from '#web/api/client.ts'
import type { IdempotencyKeys } from '#web/hooks/use-idempotency-keys.ts'
import { saveFile } from '../save-file.ts'

/**
 * Saves a list as a file at once, or has the file made if the list is long.
 * @param list.path of the file that is sent at once
 * @param list.name of the saved file
 */
export async function beginExport(
  list: { kind: ExportKind; filters: ExportFilters; path: string; name: string },
  { queryClient, keys }: { queryClient: QueryClient; keys: IdempotencyKeys },
): Promise<'saved' | 'asked'> {
  const { kind, filters, path, name } = list
  const { is_more: isLong } = await measureExport(kind, filters)
  if (!isLong) {
    saveFile(name, await requestText(path))
    return 'saved'
  }
  const wish = JSON.stringify([kind, filters])
  await askForExport(kind, filters, keys.keyOf(wish))
  keys.settle(wish)
  void queryClient.invalidateQueries({ queryKey: exportsQuery.queryKey })
  return 'asked'
}
