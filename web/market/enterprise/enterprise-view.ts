/** Parameters of both panels; an empty text does not filter. */
export interface AskedDeliveries {
  days: string
  from: string
  to: string
  state: string
  webhook: string
}

export type Grouping = 'webhook' | 'state'

export interface EnterpriseView extends AskedDeliveries {
  group: Grouping
  /** the column, with a leading minus for descending; empty for the table's own order */
  sort: string
  /** part of a name; filters only the performance table */
  find: string
}
