import type { DISPOSITIONS } from '#core/contract/leads/lead.ts'

type Disposition = (typeof DISPOSITIONS)[number]

/** The steps of working a lead, in their order; a lead at one step has passed the earlier ones. */
export const FUNNEL_STEPS = ['attempted', 'contacted', 'appointment', 'quoted', 'sold'] as const
export type FunnelStep = (typeof FUNNEL_STEPS)[number]

/** The last step that a lead of this disposition has certainly reached. */
const REACHED: Readonly<Record<Disposition, FunnelStep | undefined>> = {
  new: undefined,
  attempted: 'attempted',
  contacted: 'contacted',
  follow_up: 'contacted',
  appointment: 'appointment',
  quoted: 'quoted',
  sold: 'sold',
  // The person was spoken to.
  not_interested: 'contacted',
  bad_number: 'attempted',
  wrong_person: 'attempted',
  do_not_contact: 'attempted',
}

/** The dispositions of leads that have reached this step or a later one. */
export function listBeyond(step: FunnelStep): string[] {
  const least = FUNNEL_STEPS.indexOf(step)
  return Object.entries(REACHED)
    .filter(([, reached]) => reached !== undefined && FUNNEL_STEPS.indexOf(reached) >= least)
    .map(([disposition]) => disposition)
}

/** Number of the leads that have reached each step or a later one. */
export function countFunnel(
  dispositions: readonly { disposition: string; leads: number }[],
): { step: FunnelStep; leads: number }[] {
  return FUNNEL_STEPS.map((step) => {
    const beyond = new Set(listBeyond(step))
    const leads = dispositions.filter(({ disposition }) => beyond.has(disposition))
    return { step, leads: leads.reduce((sum, one) => sum + one.leads, 0) }
  })
}
