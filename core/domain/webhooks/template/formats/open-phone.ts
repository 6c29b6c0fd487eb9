import { suggestName } from '#core/domain/suggest-name.ts'
import { refuseFormat, type OpenFormat } from './format.ts'

/** Forms of the ten digits of a North American number. */
const SHAPES = {
  e164: (ten: string) => `+1${ten}`,
  digits: (ten: string) => `1${ten}`,
  ten: (ten: string) => ten,
  national: (ten: string) => `(${ten.slice(0, 3)}) ${ten.slice(3, 6)}-${ten.slice(6)}`,
  dashed: (ten: string) => `${ten.slice(0, 3)}-${ten.slice(3, 6)}-${ten.slice(6)}`,
  dotted: (ten: string) => `${ten.slice(0, 3)}.${ten.slice(3, 6)}.${ten.slice(6)}`,
}
export const PHONE_SHAPES: readonly string[] = Object.keys(SHAPES)

const isShape = (name: string): name is keyof typeof SHAPES => Object.hasOwn(SHAPES, name)

/** `phone: national`. A number of another country stays unchanged, except with `digits`, which removes its plus. */
export const openPhone: OpenFormat = (shape = '', kind) => {
  if (kind !== 'phone' && kind !== 'any') return refuseFormat('phone is for phone numbers')
  if (!isShape(shape)) {
    const meant = suggestName(shape, PHONE_SHAPES)
    return refuseFormat(
      shape === ''
        ? `phone needs a shape: ${PHONE_SHAPES.join(', ')}`
        : `There is no phone shape "${shape}". ${meant === undefined ? `There are ${PHONE_SHAPES.join(', ')}` : `Did you mean ${meant}?`}`,
    )
  }
  return {
    ok: true,
    kind: 'text',
    apply: (value) => {
      const text = typeof value === 'number' ? String(value) : value
      return typeof text === 'string' ? (write(text, shape) ?? value) : value
    },
  }
}

function write(text: string, shape: keyof typeof SHAPES): string | undefined {
  if (!/^[+\d\s().-]+$/.test(text)) return undefined
  const digits = text.replaceAll(/\D/g, '')
  const ten = /^1?([2-9]\d{9})$/.exec(digits)?.[1]
  const isAbroad = text.trim().startsWith('+') && !digits.startsWith('1')
  if (ten !== undefined && !isAbroad) return SHAPES[shape](ten)
  return isAbroad && shape === 'digits' ? digits : undefined
}
