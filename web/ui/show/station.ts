export type StationState = 'done' | 'waiting' | 'failed' | 'ahead'

export interface Station {
  key: string
  label: string
  state: StationState
  /** ISO 8601 time at which the lead passed it. */
  at?: string | null
  /** One line below the label: "in 0.4 s", "attempt 2 of 8". */
  note?: string
}
