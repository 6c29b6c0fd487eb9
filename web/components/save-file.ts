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
  follow(url, name)
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/** Saves a stored file by a URL that needs no token (core/contract/files/file-link.ts). */
export function saveLink(url: string, name: string) {
  follow(downloadUrl(url, name), name)
}

/** The server then sends the file as an attachment under this name. */
export function downloadUrl(url: string, name: string) {
  return `${url}&download=${encodeURIComponent(name)}`
}

function follow(url: string, name: string) {
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
}
