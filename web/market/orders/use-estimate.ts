import { useQuery } from '@tanstack/react-query'
import { useWatch, type Control } from 'react-hook-form'
import type { LeadTypeForClient, Order } from '#core/contract/market/order.ts'
import { countOf } from '#web/format/count-of.ts'
import { useDebounced } from '#web/hooks/use-debounced.ts'
import { readTerms, type OrderFormValues } from './order-form-values.ts'
import { estimateQuery } from './order-queries.ts'
import { sayWeekCost } from './say-week-cost.ts'

const SETTLE_MS = 400

/**
 * Says what the form's order costs in a week at most, and how many leads of last week it could have received;
 * empty until known.
 */
export function useEstimate(
  control: Control<OrderFormValues>,
  target: Order | null,
  types: readonly LeadTypeForClient[],
) {
  const values = useWatch({ control, compute: readWanted })
  const wanted = useDebounced(values, SETTLE_MS)
  const { data } = useQuery(estimateQuery(wanted === null ? null : wanted.request))
  const type = types.find(({ code }) => code === values?.request.lead_type)
  // Only the stored order knows a price that an administrator gave it.
  const { price = type?.price, highest_price = price } = target ?? data ?? {}
  return {
    cost:
      values === null || price === undefined || highest_price === undefined
        ? ''
        : sayWeekCost(values.terms, { price, highest_price }),
    matched:
      data === undefined || wanted === null
        ? ''
        : `${countOf(data.leads, 'lead', data.more)} matched last week`,
  }
}

function readWanted(values: OrderFormValues) {
  // The name does not matter for the estimate and is typed last.
  const read = readTerms({ ...values, name: values.name.trim() === '' ? 'Order' : values.name })
  if (!read.ok) return null
  const { lead_type, states, age_min, age_max, accept_unknown_age, zip_codes, near_zip, near_miles } =
    read.terms
  const request = {
    lead_type,
    states,
    age_min,
    age_max,
    accept_unknown_age,
    zip_codes,
    near_zip,
    near_miles,
    excluded_sources: [],
  }
  return { request, terms: read.terms }
}
