import { useState } from 'react'

/** Columns that the list can show beside the name, in order. */
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

/** The type is hidden at first, because most clients buy only one. */
const HIDDEN_AT_FIRST: readonly LeadColumn[] = ['type']
const KEY = 'leadwire.lead-columns-hidden'

/** Remembers in this browser which columns the user wants to see. */
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

/** Another version may have stored names of columns that do not exist here. */
function readHidden(): readonly LeadColumn[] {
  const kept = localStorage.getItem(KEY)
  if (kept === null) return HIDDEN_AT_FIRST
  const names = kept.split(',')
  return LEAD_COLUMNS.map(({ id }) => id).filter((id) => names.includes(id))
}
