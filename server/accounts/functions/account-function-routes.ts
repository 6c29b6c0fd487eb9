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

/** The server functions of docs/product.md §7 that anybody may call, and what the browser must ask beside them. */
export const accountFunctionRoutes = [
  route({
    method: 'post',
    path: '/functions/v1/send-otp-email',
    who: 'public',
    summary: 'Mail a one-time code to the account of an address',
    description: 'The code is drawn by the server; `otp` is ignored.',
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
    summary: 'Judge the one-time code that was mailed to an address',
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
    summary: 'Sign up by e-mail and password',
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
    summary: 'Whether an address passes the browser’s own checks at sign-in and sign-up',
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
