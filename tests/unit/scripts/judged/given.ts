import type { Ack, Receipt } from '#scripts/chaos/ledger.ts'
import type { AttemptRow } from '#scripts/chaos/read-logs.ts'

/** The messages of one scenario's check for a sound run, and for each fault that it must refuse. */
export type Checks = Record<string, { sound: string[]; refused: Record<string, string[]> }>

export const AT = 1_000_000
export const mute = () => undefined

const ACK = { externalId: 'x', leadId: 'lead', endpoint: 0, intended: AT, ackedAt: AT + 5, tries: 1 }
const RECEIPT = {
  endpoint: 0,
  eventId: 'e',
  deliveryId: 'd',
  attempt: 1,
  at: AT,
  intended: AT,
  answered: 200,
}
const ROW = {
  deliveryId: 'd',
  endpoint: 1,
  attempt: 1,
  tookMs: 10,
  errorClass: null,
  status: 200,
  madeAt: AT,
}
export const ack = (changes: Partial<Ack> = {}): Ack => ({ ...ACK, ...changes })
export const receipt = (changes: Partial<Receipt> = {}): Receipt => ({
  ...RECEIPT,
  wasCut: false,
  ...changes,
})
export const row = (changes: Partial<AttemptRow> = {}): AttemptRow => ({ ...ROW, nextAt: null, ...changes })
export const retried = (ms: number) => [receipt(), receipt({ attempt: 2, at: AT + ms })]
