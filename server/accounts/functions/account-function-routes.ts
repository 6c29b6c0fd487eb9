import {
  accountExemptionResultSchema,
  accountExemptionSchema,
  createSecureAccountResultSchema,
  createSecureAccountSchema,
  functionResultSchema,
  securityMonitoringSchema,
  sendOtpSchema,
  verifyOtpSchema,
} from '#core/contract/accounts/account-functions.ts'
import { route } from '#server/http/route.ts'
import { createSecureAccount } from './create-secure-account.ts'
import { recordSecurityEvent } from './security-monitoring.ts'
import { sendOtpEmail } from './send-otp-email.ts'
import { tellExemption } from './tell-exemption.ts'
import { verifyOtp } from './verify-otp.ts'

/** The server functions of docs/product.md §7 that need no sign-in, and what the browser asks beside them. */
export const accountFunctionRoutes = [
  route({
    method: 'post',
    path: '/functions/v1/send-otp-email',
    who: 'public',
    summary: 'Email a one-time code to the account of an address',
    description:
      'The server chooses the code and ignores `otp`. An address without an account gets the same answer and no email. Refusals are answered with 200 and `"success": false`; `error` says why.',
    takes: 'json',
    body: sendOtpSchema,
    readsBodyItself: true,
    answers: { 200: functionResultSchema },
    handle: async ({ context, body, from }) => ({
      status: 200,
      json: await sendOtpEmail(context, body, from),
    }),
  }),
  route({
    method: 'post',
    path: '/functions/v1/verify-otp',
    who: 'public',
    summary: 'Check the one-time code that was emailed to an address',
    description: 'A wrong or expired code is answered with 200 and `"success": false`; `error` says why.',
    takes: 'json',
    body: verifyOtpSchema,
    readsBodyItself: true,
    answers: { 200: functionResultSchema },
    handle: async ({ context, body, from }) => ({ status: 200, json: await verifyOtp(context, body, from) }),
  }),
  route({
    method: 'post',
    path: '/functions/v1/create-secure-account',
    who: 'public',
    summary: 'Sign up with an email address and a password',
    description:
      'Refusals are answered with 200 and `"success": false`. `error` gives the reason for people, `code` for programs.',
    takes: 'json',
    body: createSecureAccountSchema,
    readsBodyItself: true,
    answers: { 200: createSecureAccountResultSchema },
    handle: async ({ context, body, from }) => ({
      status: 200,
      json: await createSecureAccount(context, body, from),
    }),
  }),
  route({
    method: 'post',
    path: '/functions/v1/account-exemption',
    who: 'public',
    summary: 'Tell whether an address is exempt from the browser’s checks at sign-in and sign-up',
    takes: 'json',
    body: accountExemptionSchema,
    readsBodyItself: true,
    answers: { 200: accountExemptionResultSchema },
    handle: async ({ context, body, from }) => ({
      status: 200,
      json: await tellExemption(context, body, from),
    }),
  }),
  route({
    method: 'post',
    path: '/functions/v1/security-monitoring',
    who: 'anybody',
    may: 'self',
    summary: 'Report a security event of a browser',
    takes: 'json',
    body: securityMonitoringSchema,
    answers: { 200: functionResultSchema },
    handle: async ({ context, caller, body, from }) => ({
      status: 200,
      json: await recordSecurityEvent(context, caller, body, from),
    }),
  }),
]
