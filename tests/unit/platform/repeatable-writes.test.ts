import { expect, test } from 'vitest'
import { apiRoutes } from '#server/api-routes.ts'
import { describeOperation } from '#server/http/openapi/describe-operation.ts'

/**
 * The reason why a call whose answer was lost can be repeated. `key`: its `Idempotency-Key` returns the first
 * answer.
 */
const REPEATS: Readonly<Record<string, string>> = {
  'PATCH /api/v1/me': 'the name as it is to be',
  'DELETE /api/v1/me/sessions/:id': 'the session gone',
  'POST /api/v1/account/members/invitations': 'an invitation that replaces the first',
  'DELETE /api/v1/account/members/invitations/:id': 'the invitation gone',
  'POST /api/v1/account/members/invitations/read': 'nothing changed',
  'POST /api/v1/account/members/invitations/accept': 'the person in the account',
  'PATCH /api/v1/account/members/:id': 'the role as it is to be',
  'DELETE /api/v1/account/members/:id': 'the person gone',
  'POST /api/v1/account/members/leave': 'no session left to call with',
  'POST /api/v1/account/members/hand-over': 'the right to hand over gone',
  'POST /api/v1/me/recovery-codes': 'codes that nobody was shown, which the new ones replace',
  'POST /functions/v1/send-otp-email': 'the gap between two mails to one address',
  'POST /functions/v1/verify-otp': 'the code used up',
  'POST /functions/v1/create-secure-account': 'the address taken',
  'POST /functions/v1/account-exemption': 'nothing changed',
  'POST /functions/v1/security-monitoring': 'the event known by its id',
  'POST /api/v1/leads': 'key',
  'POST /api/v1/leads/batch': 'key',
  'POST /api/v1/leads/mark-read': 'the leads read',
  'PATCH /api/v1/leads/:id': 'the lead as it is to be',
  'POST /api/v1/outcomes': 'the outcome that was reported last',
  'POST /api/v1/admin/leads/:id/erase': 'the person gone',
  'POST /api/v1/admin/leads/:id/reassign': 'the lead with the order',
  'POST /api/v1/admin/leads/:id/offer-again': 'the lead offered, to be sold once at most',
  'POST /api/v1/admin/leads/:id/return': 'the lead returned',
  'POST /api/v1/admin/leads/:id/suppress': 'the person on the list',
  'POST /api/v1/admin/lead-recalls': 'the leads being recalled, or returned',
  'POST /api/v1/revocations/code': 'a new code in place of the last; too soon after it, a 429',
  'POST /api/v1/revocations/proof': 'the person suppressed; a used code is refused',
  'POST /api/v1/revocations': 'the leads revoked before',
  'POST /api/v1/leads/:id/revocation': 'the lead revoked before',
  'POST /api/v1/leads/:id/revocation/acknowledge': 'the lead acknowledged',
  'POST /api/v1/admin/revocations': 'the person revoked before',
  'POST /api/v1/admin/revocations/:id/approve': 'the report decided',
  'POST /api/v1/admin/revocations/:id/decline': 'the report decided',
  'POST /api/v1/admin/data-subjects/find': 'nothing changed',
  'POST /api/v1/admin/data-subjects/erase': 'the person gone',
  'POST /api/v1/admin/data-subjects/export': 'nothing changed',
  'POST /api/v1/rpc/assign_lead_to_buyer_concurrent': 'the lead assigned, to one at most',
  'POST /api/v1/webhook-configs': 'key',
  'POST /api/v1/webhook-configs/preview': 'nothing changed',
  'PATCH /api/v1/webhook-configs/:id': 'the configuration as it is to be',
  'POST /api/v1/webhook-configs/:id/switch-on': 'the configuration on',
  'DELETE /api/v1/webhook-configs/:id': 'the configuration gone',
  'POST /api/v1/webhook-configs/:id/certification': 'key',
  'POST /api/v1/webhook-configs/:id/secret/rotate': 'key',
  'DELETE /api/v1/webhook-configs/:id/secret/previous': 'the old secret gone',
  'POST /api/v1/delivery-logs/:id/resend': 'key',
  'POST /api/v1/webhook-configs/:id/resend-failed': 'key',
  'POST /api/v1/webhook-replays/:id/cancel': 'the replay stopped',
  'POST /api/v1/delivery-logs/:id/cancel': 'the delivery cancelled',
  'POST /api/v1/webhook-configs/:id/cancel-waiting': 'nothing that waits',
  'POST /api/v1/webhook-configs/:id/send-offered': 'nothing that is offered: each is sent once',
  'POST /api/v1/webhook-configs/:id/discard-offered': 'nothing that is offered',
  'POST /api/v1/admin/sources': 'key',
  'PATCH /api/v1/admin/sources/:id': 'the source as it is to be',
  'DELETE /api/v1/admin/sources/:id': 'the keys revoked',
  'POST /api/v1/admin/sources/:id/keys': 'key',
  'POST /api/v1/admin/sources/:id/stop': 'the source stopped',
  'POST /api/v1/admin/sources/:id/pause': 'the source paused',
  'POST /api/v1/admin/sources/:id/resume': 'the source resumed',
  'DELETE /api/v1/admin/source-keys/:id': 'the key revoked',
  'POST /api/v1/exports': 'key',
  'POST /api/v1/evidence/:id/open': 'another URL of the same file',
  'POST /api/v1/admin/evidence/:id/open': 'another URL of the same file',
  'POST /api/v1/admin/imports/:id/file/open': 'another URL of the same file',
  'DELETE /api/v1/exports/:id': 'the export gone',
  'POST /api/v1/admin/imports': 'key',
  'POST /api/v1/admin/imports/:id/bytes': 'the bytes there: `at` says where they belong',
  'POST /api/v1/admin/imports/:id/preview': 'nothing changed',
  'POST /api/v1/admin/imports/:id/start': 'the import begun',
  'POST /api/v1/admin/imports/:id/cancel': 'the import cancelled',
  'POST /api/v1/admin/sources/:id/posting-spec': 'a link that nobody was shown, and that is kept nowhere',
  'DELETE /api/v1/admin/sources/:id/posting-spec': 'no link good any more',
  'POST /api/v1/posting-spec/test-lead':
    'a test, which is sold to nobody; its form repeats nothing by itself',
  'POST /api/v1/leads/:id/return': 'the return asked for, once a lead',
  'POST /api/v1/leads/:id/member': 'the lead that person’s; a repeat is refused',
  'POST /api/v1/leads/:id/return/withdraw': 'the return withdrawn',
  'POST /api/v1/admin/returns/:id/approve': 'the return decided',
  'POST /api/v1/admin/returns/:id/deny': 'the return decided',
  'POST /api/v1/orders': 'key',
  'POST /api/v1/orders/estimate': 'nothing changed',
  'PATCH /api/v1/orders/:id': 'another version than the one it changes',
  'DELETE /api/v1/orders/:id': 'the order gone',
  'POST /api/v1/unsubscribe': 'the kind of mail ended',
  'POST /api/v1/orders/:id/pause': 'the order paused',
  'POST /api/v1/orders/:id/resume': 'the order resumed',
  'POST /api/v1/admin/dead-letters/redrive': 'key',
  'POST /api/v1/admin/retry-failed': 'nothing left to try again',
  'POST /api/v1/admin/queues-session': 'a cookie that the new one replaces',
  'PATCH /api/v1/admin/contact-messages/:id': 'the message as it is to be',
  'POST /api/v1/admin/clients/:id/approve': 'the client approved',
  'POST /api/v1/admin/clients/:id/suspend': 'the client suspended',
  'POST /api/v1/admin/clients/:id/resume': 'the client resumed',
  'PATCH /api/v1/admin/settings': 'the settings as they are to be',
  'POST /api/v1/admin/clients/:id/pause-sending': 'sending paused',
  'POST /api/v1/admin/clients/:id/resume-sending': 'sending resumed',
  'POST /api/v1/admin/lead-types': 'the code taken',
  'PATCH /api/v1/admin/lead-types': 'the lead type as it is to be',
  'POST /api/v1/admin/lead-prices': 'the price as it is to be',
  'DELETE /api/v1/admin/lead-prices/:id': 'the price gone',
  'PATCH /api/v1/admin/orders/:id': 'the order as it is to be',
  'POST /api/v1/admin/suppressions': 'the contacts on the list',
  'POST /api/v1/admin/suppressions/find': 'nothing changed',
  'DELETE /api/v1/admin/suppressions/:id': 'the entry gone',
  'POST /functions/v1/test-webhook-endpoint': 'a test, which is marked as one; no page repeats it by itself',
  'POST /functions/v1/webhook-delivery': 'the deliveries planned, one for each configuration and event',
  'POST /api/v1/setup/skip': 'the step put off',
  'PATCH /api/v1/account': 'another version than the one it changes',
  'DELETE /api/v1/account/payment-method': 'the method forgotten',
  'POST /api/v1/admin/clients/:id/adjust': 'key',
  'POST /api/v1/admin/clients/:id/pay-out': 'key',
  'POST /api/v1/admin/pending-adjustments/:id/confirm': 'the adjustment confirmed',
  'POST /api/v1/admin/pending-adjustments/:id/decline': 'the adjustment declined',
  'POST /api/v1/admin/clients/:id/notes': 'key',
  'POST /api/v1/admin/clients/:id/resend-failed': 'key',
  'POST /api/v1/payments': 'key',
  'POST /api/v1/payments/:id/cancel': 'the payment cancelled',
  'POST /api/v1/admin/payments/:id/receive': 'the payment received',
  'POST /api/v1/admin/payments/:id/reject': 'the payment rejected',
  'POST /api/v1/admin/people': 'the person invited, or an administrator already',
  'POST /api/v1/admin/people/find': 'nothing changed',
  'PATCH /api/v1/admin/people/:id': 'the role as it is to be',
  'DELETE /api/v1/admin/people/:id': 'no administrator any more',
  'POST /api/v1/admin/people/:id/reset-factor': 'no second factor left',
  'POST /api/v1/admin/people/:id/end-sessions': 'no session left',
  'POST /api/v1/admin/service-keys/:id/revoke': 'the key revoked',
  'POST /api/v1/payment-webhook': 'the provider’s event known by its id',
}

const KEYED = Object.keys(REPEATS)
  .filter((name) => REPEATS[name] === 'key')
  .toSorted()

test('each writing call can be repeated after a lost answer without a second effect', () => {
  const writes = apiRoutes
    .filter(({ method }) => method !== 'get')
    .map((route) => ({ name: `${route.method.toUpperCase()} ${route.path}`, ...route }))
  expect(Object.keys(REPEATS).toSorted()).toEqual(writes.map(({ name }) => name).toSorted())
  // A call that uses a key passes it on, and no other declares one.
  const byKey = writes.filter(({ handle }) => handle.toString().includes('idempotencyKey'))
  expect(byKey.map(({ name }) => name).toSorted()).toEqual(KEYED)
})

test('the OpenAPI document names the Idempotency-Key exactly for the calls that take one', () => {
  const told = apiRoutes.filter((route) =>
    describeOperation(route).parameters.some((one) => one.in === 'header' && one.name === 'Idempotency-Key'),
  )
  const names = told.map(({ method, path }) => `${method.toUpperCase()} ${path}`)
  expect(names.toSorted()).toEqual(KEYED)
})
