import { setupProgressSchema, skipSetupStepSchema } from '#core/contract/market/client-setup.ts'
import { route } from '../http/route.ts'
import { showSetup, skipStep } from './show-setup.ts'

export const setupRoutes = [
  route({
    method: 'get',
    path: '/api/v1/setup',
    who: 'user',
    summary: 'What the caller has set up so far, what was put off, and how the newest test lead did',
    answers: { 200: setupProgressSchema },
    handle: async ({ context, caller }) => ({ status: 200, json: await showSetup(context, caller.user_id) }),
  }),
  route({
    method: 'post',
    path: '/api/v1/setup/skip',
    who: 'user',
    summary: 'Put a step of the set-up off; it is done all the same as soon as it is',
    takes: 'json',
    body: skipSetupStepSchema,
    answers: { 200: setupProgressSchema },
    handle: async ({ context, caller, body }) => ({
      status: 200,
      json: await skipStep(context, caller.user_id, body.step),
    }),
  }),
]
