import { apiPath } from '#web/api/api-path.ts'
import { requestText } from '#web/api/client.ts'

/** Saves the whole ledger as a file. By a request of its own: a plain link would not bring the session along. */
export async function downloadLedger(): Promise<void> {
  const text = await requestText(apiPath('ledger.csv'))
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv' }))
  const link = document.createElement('a')
  link.href = url
  link.download = 'ledger.csv'
  link.click()
  URL.revokeObjectURL(url)
}
