import {
  marketplaceSettingsSchema,
  settingsChangeSchema,
} from '#core/contract/market/money/marketplace-settings.ts'
import { readSettings } from '#core/data/market/marketplace-settings.ts'
import { route } from '../../http/route.ts'
import { changeSettings } from './change-settings.ts'

export const adminSettingsRoutes = [
  route({
    method: 'get',
    path: '/api/v1/admin/settings',
    who: 'admin',
    summary: 'Return the settings of the marketplace',
    answers: { 200: marketplaceSettingsSchema },
    handle: async ({ context }) => ({ status: 200, json: await readSettings(context.db) }),
  }),
  route({
    method: 'patch',
    path: '/api/v1/admin/settings',
    who: 'admin',
    needs: 'people',
    summary: 'Change settings of the marketplace',
    description: 'Only the settings in the body are changed. Receipts keep the seller of their day.',
    takes: 'json',
    body: settingsChangeSchema,
    answers: { 200: marketplaceSettingsSchema },
    handle: async ({ context, caller, from, body }) => ({
      status: 200,
      json: await changeSettings(context, { caller, from }, body),
    }),
  }),
]
