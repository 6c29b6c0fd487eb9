/** What both panels are asked for; empty texts narrow nothing. */
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
  /** the column, with a minus in front from the most to the least; empty as the table comes */
  sort: string
  /** part of a name; narrows only the table of performance */
  find: string
}
