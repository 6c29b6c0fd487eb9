/**
 * Saves fetched text as a file: CSV, or JSON by its name. A plain link would not do, because the call needs the
 * session's token. In CSV the byte order mark tells spreadsheets that the file is UTF-8.
 */
export function saveFile(name: string, text: string) {
  const blob = name.endsWith('.json')
    ? new Blob([text], { type: 'application/json' })
    : new Blob(['\uFEFF', text], { type: 'text/csv;charset=utf-8' })
  saveBlob(name, blob)
}

/** Saves fetched bytes as a file. */
export function saveBlob(name: string, blob: Blob) {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
