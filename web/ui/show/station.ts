export type StationState = 'done' | 'waiting' | 'failed' | 'ahead'

export interface Station {
  key: string
  label: string
  state: StationState
  /** ISO 8601, when the lead passed it. */
  at?: string | null
  /** One line under the label: "in 0.4 s", "attempt 2 of 8". */
  note?: string
}
