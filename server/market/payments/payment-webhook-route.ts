import { z } from 'zod'
import { AppError } from '#core/errors.ts'
import { readInput } from '../../http/read-input.ts'
import { route } from '../../http/route.ts'
import { paymentEventSchema } from './read-payment-event.ts'
import { takePaymentEvent } from './take-payment-event.ts'
import { verifySignature } from './verify-signature.ts'

export const paymentWebhookRoutes = [
  route({
    method: 'post',
    path: '/api/v1/payment-webhook',
    who: 'public',
    summary: 'Receive an event of the payment provider',
    description:
      'Only the provider calls this. The signature is in `Stripe-Signature`; a wrong one is refused with 400 `invalid_signature`. An unknown event, or one that was sent before, is answered with 200.',
    takes: 'json',
    body: paymentEventSchema,
    readsBodyItself: true,
    answers: { 200: z.object({ received: z.literal(true) }) },
    handle: async ({ context, body, bodyBytes, header }) => {
      const { payments } = context.config
      if (payments === undefined) throw new AppError('not_found', 'No payment provider is configured.')
      const now = Math.floor(Date.now() / 1000)
      const signature = header('Stripe-Signature')
      if (!verifySignature(signature, bodyBytes, { secret: payments.webhookSecret, now }))
        throw new AppError('invalid_signature', 'The signature is missing, too old or not the provider’s.')
      const read = readInput(paymentEventSchema, body)
      if (!read.ok) throw new AppError('validation_failed', 'This is no event.', { errors: read.errors })
      await takePaymentEvent(context, read.value)
      return { status: 200, json: { received: true } }
    },
  }),
]
