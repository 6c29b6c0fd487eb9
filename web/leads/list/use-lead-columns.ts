import { useState } from 'react'

/** What the list can show beside the name, in its order. */
export const LEAD_COLUMNS = [
  { id: 'phone', label: 'Phone' },
  { id: 'state', label: 'State' },
  { id: 'type', label: 'Type' },
  { id: 'received', label: 'Received' },
  { id: 'price', label: 'Price' },
  { id: 'status', label: 'Status' },
  { id: 'disposition', label: 'Disposition' },
  { id: 'journey', label: 'Journey' },
  { id: 'delivery', label: 'Delivery' },
] as const
export type LeadColumn = (typeof LEAD_COLUMNS)[number]['id']

/** Most clients buy one type. */
const HIDDEN_AT_FIRST: readonly LeadColumn[] = ['type']
const KEY = 'leadwire.lead-columns-hidden'

/** Which columns somebody wants to see in this browser. */
export function useLeadColumns() {
  const [hidden, setHidden] = useState(readHidden)
  const toggle = (column: LeadColumn): void => {
    const next = hidden.includes(column) ? hidden.filter((one) => one !== column) : [...hidden, column]
    localStorage.setItem(KEY, next.join(','))
    setHidden(next)
  }
  const shown = LEAD_COLUMNS.map(({ id }) => id).filter((id) => !hidden.includes(id))
  return { shown, toggle }
}

/** What an older or newer version has kept there may name columns that there are not. */
function readHidden(): readonly LeadColumn[] {
  const kept = localStorage.getItem(KEY)
  if (kept === null) return HIDDEN_AT_FIRST
  const names = kept.split(',')
  return LEAD_COLUMNS.map(({ id }) => id).filter((id) => names.includes(id))
}
