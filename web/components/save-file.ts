/**
 * Saves fetched text as a file. A plain link would not do, because the call needs the session's token. The
 * byte order mark tells spreadsheets that the file is UTF-8.
 */
export function saveFile(name: string, text: string) {
  const url = URL.createObjectURL(new Blob(['\uFEFF', text], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
