import { useQuery } from '@tanstack/react-query'
import { useWatch, type Control } from 'react-hook-form'
import type { OrderEstimate } from '#core/contract/market/order.ts'
import { countOf } from '#web/format/count-of.ts'
import { useDebounced } from '#web/hooks/use-debounced.ts'
import { readTerms, type OrderFormValues } from './order-form-values.ts'
import { estimateQuery } from './order-queries.ts'

const SETTLE_MS = 400

/** Says how many leads of last week the form's order could have received; empty until known. */
export function useEstimate(control: Control<OrderFormValues>): string {
  const values = useWatch({ control, compute: readWanted })
  const wanted = useDebounced(values, SETTLE_MS)
  const { data } = useQuery(estimateQuery(wanted === null ? null : wanted.request))
  return data === undefined || wanted === null ? '' : sayEstimate(data, wanted.dailyCap)
}

function readWanted(values: OrderFormValues) {
  // The name does not matter for the estimate and is typed last.
  const read = readTerms({ ...values, name: values.name.trim() === '' ? 'Order' : values.name })
  if (!read.ok) return null
  const { lead_type, states, age_min, age_max, accept_unknown_age, daily_cap } = read.terms
  const request = { lead_type, states, age_min, age_max, accept_unknown_age, excluded_sources: [] }
  return { request, dailyCap: daily_cap }
}

function sayEstimate({ leads, more, days }: OrderEstimate, dailyCap: number | null): string {
  const most = dailyCap === null ? Infinity : dailyCap * days
  const matched = `${countOf(leads, 'lead', more)} matched last week`
  return leads <= most ? matched : `${matched}; ${dailyCap} a day take at most ${countOf(most, 'lead')}`
}
