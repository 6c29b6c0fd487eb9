import { apiPath } from '#web/api/api-path.ts'
import { requestText } from '#web/api/client.ts'
import { saveFile } from '#web/components/save-file.ts'

/** Saves the whole ledger as a file. */
export async function downloadLedger(): Promise<void> {
  saveFile('ledger.csv', await requestText(apiPath('ledger.csv')))
}
