import type { AnswerOrder } from '../../lab/receiver/receipt.ts'

/** Endpoints of the receiver that misbehave, each in a different way. */
export const BAD = {
  hang: '/bad/hang',
  slow: '/bad/slow',
  reset: '/bad/reset',
  dripHeaders: '/bad/drip-headers',
  dripBody: '/bad/drip-body',
} as const

export const BAD_ANSWERS: readonly AnswerOrder[] = [
  { path: BAD.hang, answer: 'hang' },
  { path: BAD.slow, answer: { status: 200, delayMs: 5000 } },
  { path: BAD.reset, answer: 'reset' },
  { path: BAD.dripHeaders, answer: 'slow-headers' },
  { path: BAD.dripBody, answer: 'slow-body' },
]
