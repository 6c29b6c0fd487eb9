import { findClearCorner, type Corner } from './toast/find-clear-corner.ts'

export interface ToastLink {
  /** words within the toast's text */
  text: string
  href: string
  /** navigates within the app; without it the page is loaded */
  go?: () => void
}

export interface ToastItem {
  id: string
  text: string
  /** the reason, below the text */
  detail?: string | undefined
  tone: 'success' | 'error'
  links: readonly ToastLink[]
  /** number of repetitions; each one restarts the time it is shown */
  times: number
}

/** Nobody reads more than these; the oldest is removed. */
const MOST = 2

export interface Toasts {
  items: readonly ToastItem[]
  corner: Corner
}

let shown: Toasts = { items: [], corner: 'bottom right' }
const listeners = new Set<() => void>()

function change(items: readonly ToastItem[]) {
  // While a toast is shown, its corner does not change.
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

/**
 * Can be called from anywhere; the Toaster in UiProvider shows the toasts. A repeated text stays one toast.
 */
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
