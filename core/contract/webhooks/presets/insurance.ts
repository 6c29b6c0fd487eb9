import { PLAIN, type Preset } from './preset.ts'

export const agencybloc: Preset = {
  ...PLAIN,
  id: 'agencybloc',
  name: 'AgencyBloc',
  note: 'AMS+ Lead POST. AgencyBloc’s support gives you the address and the names of further fields; only these two are certain and required. Its answer is not certain: run a test, and add a success rule that matches its answer.',
  payload_type: 'FORM',
  payload_template: { firstName: '{{first_name}}', lastName: '{{last_name}}' },
}

export const insureio: Preset = {
  ...PLAIN,
  id: 'insureio',
  name: 'Insureio',
  note: 'Insureio also needs a phone or an email address. The names of those fields and the authentication are not certain: take them from your organization’s documentation. Read the answer to a test, which may hold warnings.',
  endpoint_url: 'https://<<organization>>.insureio.com/consumers.json',
  payload_template: {
    consumer: {
      full_name: '{{name}}',
      brand_id: '<<brand_id>>',
      state_abbreviation: '{{state}}',
    },
  },
  missing_values: 'omit',
  constants: [
    { name: 'organization', label: 'Organization', hint: 'The first part of your Insureio address.' },
    { name: 'brand_id', label: 'Brand id (brand_id)' },
  ],
}
