//! pytest, modules of Python, and what runs them.

use super::super::check;

#[test]
fn ordinary_work_says_what_it_runs() {
    check(
        r#"
        python3 -m py_compile src/x.py => ~3, r src/x.py/**, x .
        python3 -m pytest => ~3, x .
        python3 -m pytest tests/test_foo.py => ~3, x tests/test_foo.py, x .
        python3 -m pytest tests/test_foo.py::TestA::test_b -v => ~3, x tests/test_foo.py, x .
        python3 -m pytest -x -q => ~3, x .
        python3 -m pytest -k "not slow" tests/ => ~3, x tests/, x .
        python3 -m pytest --tb=short -q --no-header => ~3, x .
        python3 -m pytest --cov=src --cov-report=term-missing => ~3, x .
        python3 -m pytest --cov=src --cov-report=html:htmlcov => ~3, w htmlcov/**, x .
        python3 -m pytest --junitxml=report.xml => ~3, w report.xml, x .
        python3 -m pytest -p no:cacheprovider tests => ~3, x tests, x .
        python3 -m pytest --maxfail=1 --lf => ~3, x .
        python3 -m pytest -n auto => ~3, x .
        python3 -m pytest tests/*.py => ~3, x tests/……, x .
        python3 -u -m pytest tests => ~4, x tests, x .
        python3 -m pytest --collect-only -q => ~3, x .
        python3 -m pytest -m "not integration" --durations=10 => ~3, x .
        python3 -m pytest --rootdir . -c pytest.ini => ~3, x ., x pytest.ini
        python3 -m pytest -vv -s tests/unit tests/integration => ~3, x tests/unit, x tests/integration, x .
        python3 -m pytest --timeout=30 => ~3, x .
        pytest tests/test_foo.py => ~1, x tests/test_foo.py, x .
        pytest -q => ~1, x .
        pytest => ~1, x .
        pytest -xvs tests/test_a.py::test_b => ~1, x tests/test_a.py, x .
        pytest --co -q => ~1, x .
        python3 -m unittest => ~3, x .
        python3 -m unittest discover -s tests => ~3, x tests, x discover, x .
        python3 -m unittest tests.test_a -v => ~3, x tests.test_a, x .
        python3 -m json.tool package.json => ~3, r package.json, x .
        python3 -m mypy src => ~3, r src/**, x .
        python3 -m mypy --strict src => ~3, r src/**, x .
        python3 -m ruff check . => ~3, r ./**, x .
        python3 -m ruff check --fix src => ~3, w src/**, x src, x .
        python3 -m black --check src => ~3, r src/**, x src, x .
        python3 -m compileall src => ~3, w src/**, x .
        python3 -m zipfile -l a.zip => ~3, r a.zip, x .
        ruff check src => ~1, r src/**, x src, x .
        ruff format --check . => r ./**, x .
        ruff check --fix src => ~1, w src/**, x src, x .
        black --check . => r ./**, x .
        black src/a.py => ~1, w src/a.py/**, x src/a.py, x .
        mypy src => ~1, r src/**, x .
        uv run pytest => ~3, x .
        uv run pytest tests/test_a.py -q => ~3, x ., x tests/test_a.py
        poetry run pytest -x => ~3, x .
        tox -e py311 => ~1, x .
        tox => ~1, x .
        nox -s tests => ~1, x .
        python3 scripts/x.py a b => ~2, x scripts/x.py
        isort --check-only src => r src/**, x src
        flake8 src => ~1, r src/**, x .
        pylint src => ~1, r src/**, x .
        pyright => ~1, x .
        "#,
    );
}

#[test]
fn other_code_and_other_files_are_seen() {
    check(
        r#"
        python3 -m pytest --junitxml=prot/x => ~3, w prot/x, x .
        python3 -m pytest --junit-xml prot/x => ~3, w prot/x, x .
        python3 -m pytest --junitx=prot/x => ~3, w prot/x, x .
        python3 -m pytest --basetemp=prot => ~3, w prot/**, x .
        python3 -m pytest --baset prot => ~3, w prot/**, x .
        python3 -m pytest --log-file=prot/x => ~3, w prot/x, x .
        python3 -m pytest --log-file prot/x tests => ~3, w prot/x, x tests, x .
        python3 -m pytest -p evil => ~all, x .
        python3 -m pytest -pevil => ~all, x .
        python3 -m pytest -c /out/pytest.ini => ~3, x /out/pytest.ini, x .
        python3 -m pytest -c/out/pytest.ini => ~3, x /out/pytest.ini, x .
        python3 -m pytest --config-file=/out/pytest.ini => ~3, x /out/pytest.ini, x .
        python3 -m pytest --rootdir /out => ~3, x /out, x .
        python3 -m pytest --confcutdir=/out => ~3, x /out, x .
        python3 -m pytest /out => ~3, x /out, x .
        python3 -m pytest ../out => ~3, x ../out, x .
        python3 -m pytest ../out/test_x.py::test_a => ~3, x ../out/test_x.py, x .
        python3 -m pytest tests ../out/test_x.py => ~3, x tests, x ../out/test_x.py, x .
        python3 -m pytest -- ../out => ~3, x ../out, x .
        python3 -m pytest other/evil.py => ~all, x other/evil.py, x .
        python3 -m pytest -W error::DeprecationWarning => ~3, x .
        python3 -m pytest -W error::other.evil.X => ~all, x .
        python3 -m pytest --pythonwarnings=ignore::pytest.PytestWarning => ~3, x .
        python3 -m pytest --doctest-glob=.env . => ~all, x .
        python3 -m pytest other/evil.py::test_a => ~all, x other/evil.py, x .
        python3 -m pytest "$f" => ~all, x …, x .
        python3 -m pytest "tests/test_$x" => ~3, x tests/test_…, x .
        python3 -m pytest --doctest-modules other => ~all, x other, x .
        python3 -m pytest @prot/args => ~all, x @prot/args, x .
        python3 -m pytest -o addopts=-pevil => ~all, x .
        python3 -m pytest -o "addopts=--junitxml=prot/x" => ~all, x .
        python3 -m pytest --override-ini=python_files=evil.py => ~all, x .
        python3 -m pytest --debug=prot/x => ~3, w prot/x, x .
        python3 -m pytest --debug prot/x => ~3, w prot/x, x .
        python3 -m pytest --report-log=prot/x => ~3, w prot/x, x .
        python3 -m pytest --html=prot/x => ~3, w prot/x, x .
        python3 -m pytest --result-log prot/x => ~3, w prot/x, x .
        python3 -m pytest --cov=src --cov-report=html:prot => ~3, w prot/**, x .
        python3 -m pytest --cov-report xml:prot/x --cov=src => ~3, w prot/x/**, x .
        python3 -m pytest --cov-config=/out/.coveragerc => ~3, x /out/.coveragerc, x .
        python3 -m pytest --pdbcls=evil:X --pdb => ~all, x .
        python3 -m pytest --pastebin=all => ~all, x .
        python3 -m pytest --unknown-plugin-option=prot/x => ~all, x .
        python3 -m pytest -xvsp evil => ~all, x .
        python3 -m pytest -qc /out/x.ini => ~3, x /out/x.ini, x .
        python3 -X pycache_prefix=prot -m pytest => ~all, x .
        python3 -i -m pytest => ~all, x .
        python3 -m pytest $X => ~all, x ……, x .
        python3 -m pytest "$X" => ~all, x …, x .
        python3 -m pytest --jun$X => ~all, x --jun……, x .
        python3 -m evil => ~3, x .
        python3 -m http.server --directory / => ~all, x .
        python3 -mevil => ~2, x .
        python3 -m timeit evil => ~all, x .
        python3 -m pdb x.py => ~all, x .
        python3 -m zipfile -e z.zip prot => ~3, r z.zip, w prot/**, x .
        python3 -m zipfile -c prot/z.zip src => ~3, w prot/z.zip, r src/**, x .
        python3 -m tarfile -e z.tar prot => ~3, r z.tar, w prot/**, x .
        python3 -m tarfile --extract z.tar prot => ~3, r z.tar, w prot/**, x .
        python3 -m tarfile -c prot/x.tar src => ~3, w prot/x.tar, r src/**, x .
        python3 -m json.tool a.json prot/x => ~3, r a.json, w prot/x, x .
        python3 -m compileall prot => ~3, w prot/**, x .
        python3 -m cProfile -o prot/x scripts/x.py => ~6, w prot/x, x .
        python3 -m cProfile evil.py => ~4, x .
        python3 -m venv prot => ~3, w prot/**, x .
        python3 -m unittest discover -s /out => ~3, x /out, x discover, x .
        python3 -m unittest ../out/test_x.py => ~3, x ../out/test_x.py, x .
        python3 -m mypy --html-report prot src => ~3, w prot/**, r src/**, x .
        python3 -m mypy --junit-xml prot/x src => ~3, w prot/x, r src/**, x .
        python3 -m mypy --install-types --non-interactive src => ~all, r src/**, x .
        python3 -m mypy --config-file /out/m.ini src => ~3, x /out/m.ini, r src/**, x .
        python3 -m mypy --python-executable evil src => ~all, r src/**, x .
        python3 -m mypy @prot/x => ~all, r @prot/x/**, x .
        python3 -m ruff check --fix prot => ~3, w prot/**, x prot, x .
        python3 -m ruff check -o prot/x src => ~3, w prot/x, r src/**, x src, x .
        python3 -m ruff --config /out/r.toml check src => ~3, x /out/r.toml, r src/**, x src, x .
        python3 -m black prot => ~3, w prot/**, x prot, x .
        python3 -m black prot/x.py => ~3, w prot/x.py/**, x prot/x.py, x .
        python3 help => ~2, x help
        tox -c /out/tox.ini => ~all, x .
        tox -x testenv.commands=evil => ~all, x .
        tox --workdir prot => ~1, w prot/**, x .
        nox -f evil.py -s tests => ~all, x .
        tox exec -- evil => ~2, x .
        uv run evil => ~3, x .
        uv run --with evil pytest => ~all, x .
        uv run --directory /out pytest => ~5, x ., cd /out
        uv run pytest --junitxml=prot/x => ~3, x ., w prot/x
        uv run pytest -p evil => ~all, x .
        uv --project /out run pytest => ~5, x ., x /out
        uv run --env-file evil pytest => ~all, x .
        uv run -m evil => ~all, x .
        poetry run evil => ~3, x .
        poetry run pytest --basetemp prot => ~3, x ., w prot/**
        poetry -C /out run pytest => ~5, x ., cd /out
        isort prot => ~1, w prot/**, x prot, x .
        black prot => ~1, w prot/**, x prot, x .
        ruff format prot => ~1, w prot/**, x prot, x .
        ruff check --fix prot => ~1, w prot/**, x prot, x .
        ruff check --add-noqa prot => ~1, w prot/**, x prot, x .
        ruff check @prot/x => ~all, r @prot/x/**, x @prot/x, x .
        pylint --load-plugins=evil src => ~all, r src/**, x .
        pylint --init-hook evil src => ~all, r evil/**, r src/**, x .
        pylint --output=prot/x src => ~1, w prot/x, r src/**, x .
        flake8 --output-file=prot/x src => ~1, w prot/x, r src/**, x .
        pyright --pythonpath evil => ~all, x .
        pyright -p /out => ~1, x /out, x .
        "#,
    );
}
