"""The document against the server: schemathesis makes requests of what it says, fitting and not, and looks
whether each answer is one that it promises.
"""

from __future__ import annotations

import pytest
import schemathesis
from flask.testing import FlaskClient
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import GenerationMode
from schemathesis.config import SchemathesisConfig
from schemathesis.schemas import BaseSchema

from webapp.api.openapi import OPERATIONS, Operation

# what is understood may be impossible all the same: a scenario has more rules than a schema can say
UNDERSTOOD = {"expected-statuses": ["2xx", "404", "406", "409", "410", "413", "422"]}
CONFIG = {
    "checks": {"positive_data_acceptance": UNDERSTOOD},
}


QUICKLY = settings(
    max_examples=6,
    derandomize=True,
    database=None,
    deadline=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture(scope="module")
def document(client: FlaskClient) -> BaseSchema:
    config = SchemathesisConfig.from_dict(CONFIG)
    return schemathesis.openapi.from_wsgi("/api/v1/openapi.json", client.application, config=config)


@pytest.mark.parametrize(
    ("operation", "mode"),
    [
        pytest.param(operation, mode, id=f"{operation.method} {operation.rule}: {mode.value}")
        for operation in OPERATIONS
        for mode in GenerationMode
        if mode is GenerationMode.POSITIVE or operation.id or operation.body  # else nothing can be wrong
    ],
)
def test_every_answer_is_as_the_document_says(
    document: BaseSchema, operation: Operation, mode: GenerationMode
) -> None:
    @QUICKLY
    @given(case=document[operation.rule][operation.method].as_strategy(generation_mode=mode))
    def asked(case: schemathesis.Case) -> None:
        case.call_and_validate(headers={"Accept-Encoding": "identity"})  # it unpacks no zstd

    asked()
