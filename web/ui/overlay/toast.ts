import { findClearCorner, type Corner } from './toast/find-clear-corner.ts'

export interface ToastLink {
  /** words of the toast's text */
  text: string
  href: string
  /** goes there within the app; without it the page is loaded */
  go?: () => void
}

export interface ToastItem {
  id: string
  text: string
  /** the reason, beneath it */
  detail?: string | undefined
  tone: 'success' | 'error'
  links: readonly ToastLink[]
  /** how often it has been said: each time it stays anew */
  times: number
}

/** More than these are not read; the oldest goes. */
const MOST = 2

export interface Toasts {
  items: readonly ToastItem[]
  corner: Corner
}

let shown: Toasts = { items: [], corner: 'bottom right' }
const listeners = new Set<() => void>()

function change(items: readonly ToastItem[]) {
  // While any is there, they stay where they are.
  shown = { items, corner: shown.items.length === 0 ? findClearCorner() : shown.corner }
  for (const listener of listeners) listener()
}

function add(
  tone: ToastItem['tone'],
  text: string,
  { links = [], detail }: { links?: readonly ToastLink[] | undefined; detail?: string | undefined } = {},
) {
  const id = `${tone}:${text}`
  const times = (shown.items.find((item) => item.id === id)?.times ?? 0) + 1
  change(
    [...shown.items.filter((item) => item.id !== id), { id, text, detail, tone, links, times }].slice(-MOST),
  )
}

/** Callable from anywhere; shown by the Toaster in UiProvider. The same text twice is one toast, not a pile. */
export const toast = {
  success(text: string, links?: readonly ToastLink[]) {
    add('success', text, { links })
  },
  error(text: string, detail?: string) {
    add('error', text, { detail })
  },
}

export const toastStore = {
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
  read: () => shown,
  close(id: string) {
    change(shown.items.filter((item) => item.id !== id))
  },
}
