const KEY = 'leadwire.notice'

/** Stores one sentence for the page that is opened next. */
export function keepNotice(text: string) {
  sessionStorage.setItem(KEY, text)
}

/** Returns the stored sentence and removes it. */
export function takeNotice(): string | null {
  const text = sessionStorage.getItem(KEY)
  sessionStorage.removeItem(KEY)
  return text
}
