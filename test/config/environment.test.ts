import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SettingsError, misspeltIn, passwordsIn, publicUrl, readSettings } from '../../src/config/environment.js';
import { environment } from './config-samples.js';

const without = (name: string) => Object.fromEntries(Object.entries(environment).filter(([key]) => key !== name));

describe('the settings', () => {
  it('have defaults for everything but what only the operator can know', () => {
    const { settings, problems } = readSettings(environment);
    expect(problems).toEqual([]);
    expect(settings).toMatchObject({
      HOST: '0.0.0.0',
      PORT: 8080,
      CONFIG_FILE: './waybridge.yaml',
      DATA_DIR: './data',
      ALLOW_PRIVATE_ADDRESSES: 'false',
      LOG_LEVEL: 'info',
      LOG_FORMAT: 'json',
    });
    expect(publicUrl(settings)).toBe('http://localhost:8080');
  });

  it.each(['IMS_BASE_URL', 'IMS_AUTH_URL', 'IMS_CLIENT_ID', 'IMS_CLIENT_SECRET', 'EVENTS_SECRET', 'OPERATOR_TOKEN'])(
    'ask for %s when it is missing or empty',
    (name) => {
      const missing = [{ where: name, rule: expect.stringMatching(/^missing; /) }];
      expect(readSettings(without(name)).problems).toEqual(missing);
      expect(readSettings({ ...environment, [name]: '  ' }).problems).toEqual(missing);
    },
  );

  it.each([
    ['PORT', '80a'],
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '80.5'],
    ['DATA_KEY', 'c2hvcnQ='],
    ['PUBLIC_URL', 'no-scheme.example'],
    ['IMS_BASE_URL', 'http://ims.example/2'],
    ['IMS_BASE_URL', 'ftp://ims.example/2'],
    ['IMS_AUTH_URL', 'http://127.evil.example'],
    ['IMS_AUTH_URL', 'not an address'],
    ['DATABASE_URL', 'mysql://127.0.0.1/x'],
    ['DATABASE_URL', 'postgres://user:pass/word@127.0.0.1/x'],
    ['REDIS_URL', 'http://127.0.0.1'],
    ['REDIS_URL', 'redis://user:pass/word@127.0.0.1'],
    ['ALLOW_PRIVATE_ADDRESSES', 'yes'],
    ['TRUSTED_PROXIES', 'everybody'],
    ['TRUSTED_PROXIES', 'loopback, 10.0.0.0/64'],
    ['LOG_LEVEL', 'loud'],
    ['LOG_FORMAT', 'xml'],
  ])('do not take %s=%s', (name, value) => {
    const { problems } = readSettings({ ...environment, [name]: value });
    expect(problems.map(({ where }) => where)).toEqual([name]);
    expect(problems[0]?.rule).toMatch(/^must /);
    expect(problems[0]?.rule).not.toContain(value);
  });

  it.each([
    ['PORT', '0'],
    ['IMS_BASE_URL', 'http://127.0.0.1:9090/2'],
    ['IMS_BASE_URL', 'http://localhost:9090/2'],
    ['IMS_AUTH_URL', 'http://[::1]:9090'],
    ['DATABASE_URL', 'postgresql://user:password@127.0.0.1/x'],
    ['DATABASE_URL', 'postgres://user:password@/x'],
    ['DATABASE_URL', 'postgres:///x?host=/run/postgresql'],
    ['REDIS_URL', 'rediss://127.0.0.1'],
    ['OPERATOR_TOKEN', ' with-blanks-around '],
    ['TRUSTED_PROXIES', 'loopback,10.0.0.0/8, ::1'],
    ['OPERATOR_TOKEN', 'x'],
    ['EVENTS_SECRET', 'short'],
    ['EVENTS_SECRET', 'with blanks inside'],
  ])('take %s=%s', (name, value) => {
    expect(readSettings({ ...environment, [name]: value }).problems).toEqual([]);
  });

  it.each([
    ['postgres://user:pass%2Fword@127.0.0.1/x', ['pass%2Fword', 'pass/word']],
    ['postgres://user:100%@127.0.0.1/x', ['100%']],
    ['postgres://user:password@/x', ['password']],
    ['redis://:100%25@127.0.0.1', ['100%25', '100%']],
    ['postgres://127.0.0.1/x', []],
    [undefined, []],
  ])('have the passwords that no log may show: %s', (address, passwords) => {
    expect(passwordsIn(address)).toEqual(passwords);
  });

  it('allow plain http elsewhere only when private addresses are allowed', () => {
    const plain = { ...environment, IMS_BASE_URL: 'http://ims.example/2', ALLOW_PRIVATE_ADDRESSES: 'true' };
    expect(readSettings(plain).problems).toEqual([]);
  });

  it('show all problems in one message, each with its variable and its rule', () => {
    const { problems } = readSettings({ PORT: 'x', IMS_BASE_URL: 'x' });
    const { message, exitCode } = new SettingsError(problems);
    expect(exitCode).toBe(78);
    expect(message.split('\n')[0]).toBe('settings: 7 problems');
    for (const name of [
      'PORT',
      'IMS_BASE_URL',
      'IMS_AUTH_URL',
      'IMS_CLIENT_ID',
      'IMS_CLIENT_SECRET',
      'EVENTS_SECRET',
    ]) {
      expect(message).toMatch(new RegExp(`^ {2}${name} +\\S`, 'm'));
    }
    expect(message).toContain('e.g. https://ims.example/2');
  });

  it('that are misspelt are told with the setting that was meant; variables of other programs are not', () => {
    const others = { REDIS_HOST: 'a', LANG: 'en', HOSTS: 'b', npm_config_cache: 'c', PORTS: '8081' };
    expect(misspeltIn({ ...environment, ...others })).toEqual([]);
    expect(misspeltIn({ ...environment, PUBLIC_URI: 'https://waybridge.example', METRIC_TOKEN: 'x' })).toEqual([
      { where: 'PUBLIC_URI', rule: 'is not a setting; did you mean PUBLIC_URL?' },
      { where: 'METRIC_TOKEN', rule: 'is not a setting; did you mean METRICS_TOKEN?' },
    ]);
  });

  it('never show a value, whatever it is', () => {
    const odd = fc.stringMatching(/^[%&!?;|~^]{4}[A-Za-z0-9%&!?;|~^]{4,30}$/);
    const names = [
      'PORT',
      'PUBLIC_URL',
      'IMS_BASE_URL',
      'IMS_AUTH_URL',
      'DATABASE_URL',
      'REDIS_URL',
      'LOG_LEVEL',
      'LOG_FORMAT',
    ];
    fc.assert(
      fc.property(odd, fc.subarray(names, { minLength: 1 }), (value, wrong) => {
        const given = {
          ...environment,
          ...Object.fromEntries(wrong.map((name) => [name, value])),
        };
        const { problems } = readSettings(given);
        expect(problems).toHaveLength(wrong.length);
        expect(new SettingsError(problems).message).not.toContain(value);
      }),
    );
  });
});
