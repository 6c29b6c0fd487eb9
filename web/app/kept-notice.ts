const KEY = 'leadwire.notice'

/** Keeps one sentence for the page that this one leaves for. */
export function keepNotice(text: string) {
  sessionStorage.setItem(KEY, text)
}

/** The sentence that was kept, once. */
export function takeNotice(): string | null {
  const text = sessionStorage.getItem(KEY)
  sessionStorage.removeItem(KEY)
  return text
}
