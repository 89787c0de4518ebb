import assert from 'node:assert/strict';
import { validateSync } from 'class-validator';
import { type ContractCase, type Suite, plain, settingsOf } from '../suite.js';

export function settingsCases({ adapter, configAt, settingsAt, requiredKeys }: Suite): readonly ContractCase[] {
  const problems = (given: object) => validateSync(given).map(({ property }) => property);
  return [
    plain('settings: takes the configuration of the sample account', () => {
      assert.deepEqual(problems(settingsAt(adapter.baseUrl)), []);
    }),
    ...requiredKeys.map((key) =>
      plain(`settings: asks for ${key} when it is missing`, () => {
        const rest = Object.fromEntries(Object.entries(configAt(adapter.baseUrl)).filter(([name]) => name !== key));
        assert.ok(problems(settingsOf(adapter, rest)).includes(key), `nothing is said of ${key}`);
      }),
    ),
  ];
}
