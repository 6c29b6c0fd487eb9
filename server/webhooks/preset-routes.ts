import { z } from 'zod'
import { presetSchema } from '#core/contract/webhooks/presets/preset.ts'
import { PRESETS } from '#core/contract/webhooks/presets/presets.ts'
import { route } from '../http/route.ts'

export const presetRoutes = [
  route({
    method: 'get',
    path: '/api/v1/webhook-presets',
    who: 'user',
    may: 'webhooks',
    summary: 'List the presets, which fill in a webhook for a known receiver',
    description: '`<<name>>` stands for a value that only you know.',
    answers: { 200: z.object({ data: z.array(presetSchema) }) },
    handle: () => Promise.resolve({ status: 200, json: { data: PRESETS } }),
  }),
]
