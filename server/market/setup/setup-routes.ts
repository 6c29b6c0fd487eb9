import { setupProgressSchema, skipSetupStepSchema } from '#core/contract/market/client-setup.ts'
import { route } from '../../http/route.ts'
import { showSetup, skipStep } from './show-setup.ts'

export const setupRoutes = [
  route({
    method: 'get',
    path: '/api/v1/setup',
    who: 'user',
    may: 'figures',
    summary: 'Return your setup so far, the skipped steps, and the result of your newest test lead',
    answers: { 200: setupProgressSchema },
    handle: async ({ context, caller }) => ({ status: 200, json: await showSetup(context, caller) }),
  }),
  route({
    method: 'post',
    path: '/api/v1/setup/skip',
    who: 'user',
    may: 'account',
    summary: 'Skip a setup step for now',
    description: 'The step still counts as done once it is done.',
    takes: 'json',
    body: skipSetupStepSchema,
    answers: { 200: setupProgressSchema },
    handle: async ({ context, caller, body }) => ({
      status: 200,
      json: await skipStep(context, caller, body.step),
    }),
  }),
]
