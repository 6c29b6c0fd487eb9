import {
  marketplaceSettingsSchema,
  settingsChangeSchema,
} from '#core/contract/market/money/marketplace-settings.ts'
import { route } from '../../http/route.ts'
import { changeSettings } from './change-settings.ts'
import { showSettings } from './show-settings.ts'

export const adminSettingsRoutes = [
  route({
    method: 'get',
    path: '/api/v1/admin/settings',
    who: 'admin',
    summary: 'Return the settings of the marketplace',
    description: 'A rule that is null counts as `usual` says. `fixed` and `floors` are set elsewhere.',
    answers: { 200: marketplaceSettingsSchema },
    handle: async ({ context }) => ({ status: 200, json: await showSettings(context) }),
  }),
  route({
    method: 'patch',
    path: '/api/v1/admin/settings',
    who: 'admin',
    needs: 'people',
    summary: 'Change settings of the marketplace',
    description:
      'Only the settings in the body are changed. Receipts keep the seller of their day. All servers and workers follow a rule within 15 seconds; null gives it back to the environment.',
    takes: 'json',
    body: settingsChangeSchema,
    answers: { 200: marketplaceSettingsSchema },
    handle: async ({ context, caller, from, body }) => ({
      status: 200,
      json: await changeSettings(context, { caller, from }, body),
    }),
  }),
]
