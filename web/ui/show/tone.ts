/** The four meanings of colour, and neutral. A colour always has a word or an icon beside it. */
export type Tone = 'success' | 'failure' | 'waiting' | 'info' | 'neutral'

export const TONE_SOFT: Record<Tone, string> = {
  success: 'bg-success-soft text-success',
  failure: 'bg-failure-soft text-failure',
  waiting: 'bg-waiting-soft text-waiting',
  info: 'bg-info-soft text-info',
  neutral: 'bg-sunken text-muted ring-1 ring-line ring-inset',
}
