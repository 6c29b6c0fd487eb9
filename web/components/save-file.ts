/**
 * Saves text that was fetched as a file: the call needs the session's token, so a plain link would not do. The mark says to
 * spreadsheets that it is UTF-8.
 */
export function saveFile(name: string, text: string) {
  const url = URL.createObjectURL(new Blob(['\uFEFF', text], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
