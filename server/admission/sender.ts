/** The name that a request's limits are counted by. */
export interface Sender {
  /** the id of an approved account or a source, else a network */
  name: string
  /** no administrator has approved it: it shares the limits of its network, and those of all strangers */
  isStranger: boolean
}
