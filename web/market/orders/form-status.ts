/** The part of the form's state that buttons outside of it know. */
export interface FormStatus {
  dirty: boolean
  saving: boolean
  /** True if a form that can be submitted is on screen. */
  ready: boolean
  /** Says what it costs in a week at most. */
  cost: string
  /** Says how many leads of last week would have matched. */
  matched: string
}

export const IDLE: FormStatus = { dirty: false, saving: false, ready: false, cost: '', matched: '' }
